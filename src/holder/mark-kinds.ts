import type { HeldMark } from '../protocol/holder.ts'

/** The kinds that a shell says itself. */
const kinds = new Set<string>(['A', 'B', 'C', 'D', 'H', 'I', 'P'] satisfies HeldMark['kind'][])

/** The line is no longer the line editor's: it runs, is over, or goes on in a next one. */
export function isTaken(kind: HeldMark['kind']): boolean {
  return kind === 'C' || kind === 'D' || kind === 'P'
}

export function isKind(kind: string): kind is HeldMark['kind'] {
  return kinds.has(kind)
}
