import { readFileSync } from 'node:fs'
import type { ShellName } from '../../protocol/shell.ts'
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

/** What bash and fish are started with, but not zsh, names the file that they read first. */
const ownStart = /\0--rcfile\0[^\0]*\/start\0|\0source '[^\0]*\/start'\0/

/** The process is not what we started, by its arguments; false where those do not tell. */
export function isStartedAnew(pid: number, shell: ShellName): boolean {
  if (shell === 'zsh') return false
  try {
    return !ownStart.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch {
    return false
  }
}

/** The name of the program that it started last and that is still there. */
export function lastChild(pid: number): string | null {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return readStat(Number(children.at(-1)))?.name ?? null
  } catch {
    return null
  }
}

/** `exec` keeps everything but the memory: where the stack begins is drawn anew. Null where it is not told. */
function readImage(pid: number): { program: string; stack: string } | null {
  const stat = readStat(pid)
  const stack = stat?.fields[25] ?? '0'
  return stat === null || stack === '0' ? null : { program: stat.name, stack }
}
