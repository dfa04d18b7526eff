import type { IncomingMessage } from 'node:http'
import { pipeline, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Answer } from './send.ts'

/** An answer that breaks off gives what there is of it, as one that is not compressed does. */
const flushed = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }

/** The answer in plain bytes: some servers compress although they were asked not to. */
export function decoded(answer: IncomingMessage): Answer {
  const { headers, statusCode } = answer
  const decoder = decoderOf(headers['content-encoding']?.trim().toLowerCase())
  if (decoder === null) return answer
  // The reader hears of a failure from the decoder, which it destroys the answer with.
  pipeline(answer, decoder, () => undefined)
  return Object.assign(decoder, { headers, statusCode })
}

function decoderOf(encoding: string | undefined): Transform | null {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip(flushed)
  if (encoding === 'deflate') return createInflate(flushed)
  if (encoding !== 'br') return null
  const flush = constants.BROTLI_OPERATION_FLUSH
  return createBrotliDecompress({ flush, finishFlush: flush })
}
