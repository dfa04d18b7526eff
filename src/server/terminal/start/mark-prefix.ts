import { createHash } from 'node:crypto'

/** The marks of all shells of a data folder begin so: those of another one are strangers'. */
export function markPrefix(home: string): string {
  return createHash('sha256').update(home).digest('hex').slice(0, 8)
}
