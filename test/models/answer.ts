import { Readable } from 'node:stream'
import type { Answer } from '../../src/server/model/transport/send.ts'

/** An answer with these pieces of a body, as if a server had sent it. */
export function answerOf(pieces: Iterable<Uint8Array>): Answer {
  return Object.assign(Readable.from(pieces), { headers: {} })
}
