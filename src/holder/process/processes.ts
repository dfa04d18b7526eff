import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import type { Probed } from '../../protocol/holder/holder.ts'

/** `/proc/<pid>/stat`; null when there is no such process (any more). */
export function readProcess(pid: number) {
  const stat = readProc(`/proc/${pid}/stat`)
  if (stat === null) return null
  // The name is in brackets and may hold anything, so fields count from the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    pid,
    state: fields[0] ?? '',
    group: Number(fields[2]),
    session: Number(fields[3]),
    /** The foreground process group of its terminal. */
    foreground: Number(fields[5]),
    /** In clock ticks since boot: with the pid, the process's identity. */
    startTime: fields[19] ?? '',
  }
}

/** Every living process of a session: what a terminal's shell started and did not send away. */
export function sessionMembers(session: number): number[] {
  return allProcesses()
    .filter((stat) => stat.session === session && stat.state !== 'Z')
    .map((stat) => stat.pid)
}

export function allProcesses() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((stat) => stat !== null)
}

/** The kernel's word on a shell; null for one that has ended. */
export function probeShell(shell: number | null): Probed {
  const foreground = shell === null ? 0 : (readProcess(shell)?.foreground ?? 0)
  return {
    foreground,
    minds: mindsSignal(foreground, constants.signals.SIGINT),
    syscall: shell === null ? null : (readProc(`/proc/${shell}/syscall`)?.trim() ?? null),
  }
}

/** Whether a process handles or ignores a signal; one that does neither dies of it. */
export function mindsSignal(pid: number, signal: number): boolean | null {
  const status = pid > 0 ? readProc(`/proc/${pid}/status`) : null
  if (status === null) return null
  const masks = [...status.matchAll(/^Sig(?:Ign|Cgt):\s*([0-9a-f]+)$/gm)]
  return masks.some(([, mask = '0']) => (BigInt(`0x${mask}`) >> BigInt(signal - 1)) % 2n === 1n)
}

export function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}

/** False when there is nobody to get it. 0 and -1 would reach our own group, or everyone. */
export function sendSignal(target: number, signal: number): boolean {
  if (target === 0 || target === -1 || Number.isNaN(target)) return false
  try {
    process.kill(target, signal)
    return true
  } catch {
    return false
  }
}
