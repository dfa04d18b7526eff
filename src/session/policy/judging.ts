import type { Facts, FileFact, Look } from './facts.ts'

/** A judgement under way: what it is about, and what has to be looked at before it can end. */
export interface Judging {
  facts: Facts
  looks: Map<string, Look>
  /** The names that the shell is asked about. */
  names: Set<string>
}

/** The file at a path; undefined when somebody has to look first. */
export function lookAt(
  { facts, looks }: Judging,
  path: string,
  wanted: Look['for'] = 'file',
): FileFact | undefined {
  const fact = facts.files.get(path)
  if (fact !== undefined && isEnough(fact, wanted)) return fact
  looks.set(`${wanted} ${path}`, { path, for: wanted })
  return undefined
}

function isEnough(fact: FileFact, wanted: Look['for']): boolean {
  if (wanted === 'file') return true
  if (wanted === 'kept') return fact.kind !== 'file' || fact.isKept !== undefined
  return fact.kind !== 'folder' || fact[wanted] !== undefined
}
