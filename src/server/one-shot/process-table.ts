import { readFileSync } from 'node:fs'
import { allPids, readStat, startedWith } from '../process/proc-stat.ts'

export interface ProcessRow {
  pid: number
  parent: number
  group: number
  session: number
  /** `Z` and `X` are dead already. */
  state: string
  /** In clock ticks since boot: with the pid and the boot, the process's identity. */
  startTime: number
}

/** Set for everything a run starts, so that it is found again wherever it went. */
export const markName = 'TANDEM_RUN'

/** Null when there is no such process (any more). */
export function readProcess(pid: number): ProcessRow | null {
  const fields = readStat(pid)?.fields
  if (fields === undefined) return null
  const at = (index: number) => Number(fields[index])
  return {
    pid,
    parent: at(1),
    group: at(2),
    session: at(3),
    state: fields[0] ?? '',
    startTime: at(19),
  }
}

/** Everything that lives; null where there is no `/proc`. */
export function listProcesses(): readonly ProcessRow[] | null {
  try {
    return allPids()
      .map(readProcess)
      .filter((row) => row !== null)
      .filter(({ state }) => state !== 'Z' && state !== 'X')
  } catch {
    return null
  }
}

/** Whether a process was started with this mark. */
export async function hasMark(pid: number, mark: string): Promise<boolean> {
  return (await startedWith(pid, markName)) === mark
}

/** Pids and start times mean something within one boot only. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return ''
  }
}

/** False when there is nobody to get it. 0 and -1 would reach our own group, or everyone. */
export function sendSignal(target: number, signal: NodeJS.Signals | 0): boolean {
  if (target === 0 || target === -1 || !Number.isInteger(target)) return false
  try {
    process.kill(target, signal)
    return true
  } catch {
    return false
  }
}

/** All threads of a user, as the kernel counts them for its limit; null where it cannot be seen. */
export function countTasks(uid: number): number | null {
  try {
    return allPids().reduce((sum, pid) => sum + threadsOf(pid, uid), 0)
  } catch {
    return null
  }
}

function threadsOf(pid: number, uid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const real = /^Uid:\s*(\d+)/m.exec(status)?.[1]
    return Number(real) === uid ? Number(/^Threads:\s*(\d+)/m.exec(status)?.[1] ?? 0) : 0
  } catch {
    return 0
  }
}
