import { readChildren, readProcess, type Bounded, type ProcessFacts } from './read-process.ts'
import type { ProcFiles } from './proc-files.ts'

/** A large build fits; more than that is not worth a busy machine's time, and is called unknown. */
const maxLooks = 96
/** Any of a process's threads may have children. */
const maxThreads = 128

/**
 * The living processes of the terminal's foreground group. Its leader may be gone while the rest of
 * a pipeline lives on, and the shell that started it may itself be nested.
 */
export function findMembers(
  files: ProcFiles,
  { shell, group }: { shell: number; group: number },
): Bounded<ProcessFacts> {
  const seen = new Set<number>()
  const found: ProcessFacts[] = []
  const bounds = { cut: false }

  function readOnce(pid: number): ProcessFacts | null {
    if (seen.has(pid)) return null
    if (seen.size >= maxLooks) bounds.cut = true
    if (bounds.cut) return null
    seen.add(pid)
    return readProcess(files, pid)
  }

  function childrenOf(parent: ProcessFacts): readonly number[] {
    if (bounds.cut) return []
    const children = readChildren(files, parent, maxThreads)
    // The newest are looked at all the same.
    if (children.cut) children.found.slice(0, maxLooks).forEach(addMember)
    bounds.cut ||= children.cut
    return children.found
  }

  function addMember(pid: number): ProcessFacts | null {
    const process = readOnce(pid)
    if (process?.group === group && !process.isEnding) found.push(process)
    return process
  }

  /** Level by level, below members only, or below everyone. */
  function walk(pids: readonly number[], below: 'members' | 'everyone'): void {
    let level = pids
    while (level.length > 0) {
      const processes = level.map(addMember).filter((process) => process !== null)
      const parents =
        below === 'everyone' ? processes : processes.filter((process) => process.group === group)
      level = parents.flatMap(childrenOf)
    }
  }

  const leader = readProcess(files, group)
  walk([group], 'members')
  const parent = group === shell || leader === null ? null : readProcess(files, leader.parent)
  if (parent !== null) walk(childrenOf(parent), 'members')
  if (found.length === 0) {
    seen.clear()
    walk([shell], 'everyone')
  }
  return { found, cut: bounds.cut }
}
