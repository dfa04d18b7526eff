import { readStat } from '../proc-stat.ts'
import { isShell } from './find-adoptable.ts'

/** Tells whether a process still is the program that it was. */
export interface ShellImage {
  /** It is itself now; only the first time counts. */
  see: () => void
  /** What `exec` made of it; null: it is what it was, as far as the kernel tells. */
  replacedBy: () => Replaced | null
}

export type Replaced = 'shell' | 'program'

export function createShellImage(pid: number): ShellImage {
  let seen: string | null = null
  return {
    see() {
      seen ??= readImage(pid)?.stack ?? null
    },
    replacedBy() {
      const now = seen === null ? null : readImage(pid)
      if (now === null || now.stack === seen) return null
      return isShell(now.program) ? 'shell' : 'program'
    },
  }
}

/** `exec` keeps everything but the memory: where the stack begins is drawn anew. Null where it is not told. */
function readImage(pid: number): { program: string; stack: string } | null {
  const stat = readStat(pid)
  const stack = stat?.fields[25] ?? '0'
  return stat === null || stack === '0' ? null : { program: stat.name, stack }
}
