import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { readStat } from '../proc-stat.ts'

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
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => readProcess(Number(name)))
      .filter((row) => row !== null && row.state !== 'Z' && row.state !== 'X')
      .filter((row) => row !== null)
  } catch {
    return null
  }
}

/** Whether a process was started with this mark. Others' processes cannot be read, and have none. */
export async function hasMark(pid: number, mark: string): Promise<boolean> {
  // Its memory may be busy; that must not hold up the server.
  const environ = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
  return `\0${environ}`.includes(`\0${markName}=${mark}\0`)
}

/** Pids and start times mean something within one boot only. */
export function bootId(): string {
  return readProc('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
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

function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}
