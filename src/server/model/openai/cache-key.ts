import { createHash } from 'node:crypto'
import type { ModelRequest } from '../model.ts'

/**
 * Leads the requests of one session to the machine that has its prefix. A request knows no session, but
 * what it begins with never changes within one: so its hash is the key. Two sessions that begin alike
 * share a prefix, and may share the machine.
 */
export function cacheKey({ setup, messages }: ModelRequest): string {
  const { model, system } = setup
  const start = JSON.stringify([model, system, messages[0] ?? ''])
  return createHash('sha256').update(start).digest('hex').slice(0, 32)
}
