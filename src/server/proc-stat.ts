import { readFileSync } from 'node:fs'

/** What the kernel says of a process in `/proc/<pid>/stat`. */
export interface ProcStat {
  name: string
  /** From its state on; the manual counts that as the third. */
  fields: readonly string[]
}

/** Null when there is no such process (any more). */
export function readStat(pid: number): ProcStat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name is in brackets and may hold anything, so fields count from the last bracket.
    const nameEnd = stat.lastIndexOf(')')
    return {
      name: stat.slice(stat.indexOf('(') + 1, nameEnd),
      fields: stat.slice(nameEnd + 2).split(' '),
    }
  } catch {
    return null
  }
}
