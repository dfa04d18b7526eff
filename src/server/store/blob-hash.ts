import { createHash } from 'node:crypto'

/** The name of a blob: other bytes have another one. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The same for the same fields, however they are ordered. */
export function bodyHash(body: object): string {
  const fields = Object.entries(body).filter(([, value]) => value !== undefined)
  return hashOf(Buffer.from(JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)))))
}
