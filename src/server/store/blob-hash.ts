import { createHash } from 'node:crypto'

/** The name of a blob: other bytes have another one. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
