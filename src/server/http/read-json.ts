import type { IncomingMessage } from 'node:http'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import { limits } from '../../protocol/limits.ts'

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

/** Bytes that come in pieces, up to a bound. */
interface GatheredBytes {
  /** False: these would be too many, and are not taken. */
  take(piece: Uint8Array): boolean
  bytes(): Buffer
}

const firstRoom = 4 * 1024

/** Copies each piece: kept as they come, pieces of one byte would cost some four hundred times as much. */
export function gatherBytes(most: number): GatheredBytes {
  let room = Buffer.allocUnsafe(Math.min(firstRoom, most))
  let size = 0
  return {
    take(piece) {
      const next = size + piece.length
      if (next > most) return false
      if (next > room.length) {
        const larger = Buffer.allocUnsafe(Math.min(most, Math.max(next, 2 * room.length)))
        room.copy(larger, 0, 0, size)
        room = larger
      }
      room.set(piece, size)
      size = next
      return true
    },
    bytes: () => room.subarray(0, size),
  }
}

const quote = 0x22
const backslash = 0x5c

/**
 * Counts the members of all objects in a JSON text, or says of which there is too much for a parser and a schema. The
 * bytes are only counted, so that a million keys cost no more than a long text does.
 */
export function countMembers(bytes: Uint8Array): Result<number, string> {
  let depth = 0
  let keys = 0
  let members = 0
  let parts = 0
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at] ?? 0) {
      case quote:
        at = stringEnd(bytes, at)
        break
      case 0x7b: // {
      case 0x5b: // [
        depth += 1
        if (depth > limits.bodyDepth)
          return refused(`the JSON is deeper than ${limits.bodyDepth} levels`)
        break
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1
        break
      case 0x3a: // :
        if (depth === 1) keys += 1
        if (keys > limits.bodyKeys) return refused(`the JSON has more than ${limits.bodyKeys} keys`)
        members += 1
        parts += 1
        break
      case 0x2c: // ,
        parts += 1
        break
      default:
    }
    if (parts > limits.bodyParts)
      return refused(`the JSON has more than ${limits.bodyParts} members and elements`)
  }
  return ok(members)
}

/** The place of the quote that ends the string which begins here, or the end of the bytes. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}
