import type { IncomingMessage } from 'node:http'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import { limits } from '../../protocol/limits.ts'
import { countMembers } from './count-members.ts'
import { gatherBytes } from './gather-bytes.ts'

const jsonType = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/** The request's JSON. No body at all reads as `{}`, so that a bare POST can mean the defaults. */
export async function readJson(
  http: HttpBindings,
  maxBytes: number,
): Promise<Result<unknown, Refusal>> {
  const { headers } = http.incoming
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0)
    return ok({})
  if (!isPlainJson(http.incoming)) {
    return no('unsupported_media_type', 'send the body as application/json, in UTF-8, uncompressed')
  }
  const bytes = await readBytes(http, maxBytes)
  if (!bytes.ok) return bytes
  if (bytes.value.length <= limits.smallBodyBytes) return parseJson(bytes.value)
  // A long one takes tens of milliseconds to read, and as many to act upon: others get their turn in between.
  await othersTurn()
  const value = parseJson(bytes.value)
  await othersTurn()
  return value
}

/** Said once to be JSON, and packed in no way that we would have to undo. */
function isPlainJson({ headers, headersDistinct }: IncomingMessage): boolean {
  const [type = '', ...others] = headersDistinct['content-type'] ?? []
  return (
    others.length === 0 &&
    jsonType.test(type) &&
    headers['content-encoding'] === undefined &&
    /^chunked$/i.test(headers['transfer-encoding'] ?? 'chunked')
  )
}

/** Bytes from a stranger as a value: small enough for a schema to look at, and all of it text. */
export function parseJson(bytes: Buffer): Result<unknown, Refusal> {
  const members = countMembers(bytes)
  if (!members.ok) return no('bad_request', members.error)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    // Readers differ in which of the two they believe.
    if (membersOf(value) !== members.value) return no('bad_request', 'the JSON has a key twice')
    // Only an escape can bring one in.
    return /\\u[dD][89a-fA-F]/.test(text) && hasHalfPair(value)
      ? no('bad_request', 'the JSON has half a surrogate pair')
      : ok(value)
  } catch (error) {
    const what = error instanceof TypeError ? 'UTF-8' : 'JSON'
    return no('bad_request', `the body is not valid ${what}`)
  }
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Object.values(value)
  return own.reduce<number>(
    (sum, each) => sum + membersOf(each),
    Array.isArray(value) ? 0 : own.length,
  )
}

/** `"\ud800"` is valid JSON but no text: no store could give it back as it came. */
function hasHalfPair(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, each]) => hasHalfPair(key) || hasHalfPair(each))
}

function readBytes(http: HttpBindings, maxBytes: number): Promise<Result<Buffer, Refusal>> {
  const { incoming, outgoing } = http
  const tooLarge = no('payload_too_large', `a body has at most ${maxBytes} bytes`)
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(tooLarge)
  if (incoming.headers.expect !== undefined) outgoing.writeContinue()
  return new Promise((resolve) => {
    const gathered = gatherBytes(maxBytes)
    const take = (chunk: Buffer) => {
      if (!gathered.take(chunk)) settle(tooLarge)
    }
    const end = () => settle(ok(gathered.bytes()))
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
