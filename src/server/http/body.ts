import type { HttpBindings } from '@hono/node-server'
import type { Refusal } from '../../protocol/refusal.ts'
import { ok, refused, type Result } from '../../protocol/result.ts'

const jsonType = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/** The request's JSON. No body at all reads as `{}`, so that a bare POST can mean the defaults. */
export async function readJson(
  http: HttpBindings,
  maxBytes: number,
): Promise<Result<unknown, Refusal>> {
  const { headers } = http.incoming
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) {
    return ok({})
  }
  if (!jsonType.test(headers['content-type'] ?? '') || headers['content-encoding'] !== undefined) {
    return no('unsupported_media_type', 'send the body as application/json, in UTF-8, uncompressed')
  }
  const bytes = await readBytes(http, maxBytes)
  return bytes.ok ? parse(bytes.value) : bytes
}

function parse(bytes: Buffer): Result<unknown, Refusal> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    return hasHalfPair(text, value)
      ? no('bad_request', 'the body has half a surrogate pair')
      : ok(value)
  } catch (error) {
    const what = error instanceof TypeError ? 'UTF-8' : 'JSON'
    return no('bad_request', `the body is not valid ${what}`)
  }
}

/** `"\ud800"` is valid JSON but no text: no store could give it back as it came. */
function hasHalfPair(text: string, value: unknown): boolean {
  // Only an escape can bring one in; writing the value anew escapes halves and nothing else.
  if (!/\\u[dD][89a-fA-F]/.test(text)) return false
  return /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value))
}

function readBytes(http: HttpBindings, maxBytes: number): Promise<Result<Buffer, Refusal>> {
  const { incoming, outgoing } = http
  const tooLarge = no('payload_too_large', `a body has at most ${maxBytes} bytes`)
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(tooLarge)
  if (incoming.headers.expect !== undefined) outgoing.writeContinue()
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) settle(tooLarge)
      else chunks.push(chunk)
    }
    const end = () => settle(ok(Buffer.concat(chunks)))
    const cut = () => settle(no('bad_request', 'the body ended early'))
    function settle(result: Result<Buffer, Refusal>): void {
      incoming.off('data', take).off('end', end).off('close', cut)
      resolve(result)
    }
    incoming.on('data', take).on('end', end).on('close', cut).on('error', cut)
  })
}

function no(code: Refusal['code'], message: string): { ok: false; error: Refusal } {
  return refused({ code, message })
}
