import { readlinkSync } from 'node:fs'
import { allPids, readProc, readStat } from '../../process/proc-stat.ts'
import type { ShellName } from '../../../protocol/events/shell.ts'
import { isShell } from './find-adoptable.ts'

/** Says whether a process is in the shell's terminal; one on another machine may only have the same number. */
export function isInTerminal(pid: number, shellPid: number): boolean {
  const own = terminalOf(shellPid)
  return own !== null && terminalOf(pid) === own
}

/** Says whether something lives beside the shell in its terminal, and may print there at any time. */
export function hasJobs(shellPid: number): boolean {
  const terminal = terminalOf(shellPid)
  if (terminal === null) return false
  const around = new Set<number>()
  for (let pid = shellPid; pid > 1 && !around.has(pid); pid = Number(readStat(pid)?.fields[1] ?? 0))
    around.add(pid)
  return allPids().some((pid) => !around.has(pid) && terminalOf(pid) === terminal)
}

/** Its session and its terminal; null for one that has ended. */
function terminalOf(pid: number): string | null {
  const [state, , , session, terminal] = readStat(pid)?.fields ?? ['Z']
  return state === 'Z' ? null : `${session} ${terminal}`
}

/** A process's folder, as the kernel says; null where it says nothing. */
export function linkedCwd(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/**
 * The kind of program that `exec` made of a process since its stack began there; null: it is what it was, as far as
 * the kernel tells.
 */
export function replacedSince(pid: number, stack: string | null): 'shell' | 'program' | null {
  const now = stack === null ? null : readStack(pid)
  if (now === null || now.stack === stack) return null
  return isShell(now.program) ? 'shell' : 'program'
}

/** The arguments of bash and fish, but not of zsh, name the file that they read first. */
const ownStart = /\0--rcfile\0[^\0]*\/start\0|\0source '[^\0]*\/start'\0/

/** The process is not what we started, by its arguments; false where those do not tell. */
export function isStartedAnew(pid: number, shell: ShellName): boolean {
  const args = shell === 'zsh' ? null : readProc(`/proc/${pid}/cmdline`)
  return args !== null && !ownStart.test(args)
}

/** The name of the program that it started last and that is still there. */
export function lastChild(pid: number): string | null {
  const children = readProc(`/proc/${pid}/task/${pid}/children`)?.trim().split(' ') ?? []
  return readStat(Number(children.at(-1)))?.name ?? null
}

/** `exec` keeps everything but the memory: where the stack begins is drawn anew. Null where it is not told. */
export function readStack(pid: number): { program: string; stack: string } | null {
  const stat = readStat(pid)
  const stack = stat?.fields[25] ?? '0'
  return stat === null || stack === '0' ? null : { program: stat.name, stack }
}
