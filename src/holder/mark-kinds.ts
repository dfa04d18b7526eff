import type { HeldMark } from '../protocol/holder.ts'

/** The kinds that a shell says itself. */
const kinds = new Set<string>(['A', 'B', 'C', 'D', 'H', 'I', 'P'] satisfies HeldMark['kind'][])

export function isKind(kind: string): kind is HeldMark['kind'] {
  return kinds.has(kind)
}
