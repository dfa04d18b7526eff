import { readdirSync } from 'node:fs'
import { readStat } from '../proc-stat.ts'

/** Whether a process is on this machine and in the same terminal as the shell; of another one only its number is. */
export function isInTerminal(pid: number, shellPid: number): boolean {
  const own = placeOf(shellPid)
  return own !== null && placeOf(pid) === own
}

/** Whether something lives beside the shell in its terminal, and may print there at any time. */
export function hasJobs(shellPid: number): boolean {
  const place = placeOf(shellPid)
  if (place === null) return false
  const around = new Set<number>()
  for (let pid = shellPid; pid > 1 && !around.has(pid); pid = Number(readStat(pid)?.fields[1] ?? 0))
    around.add(pid)
  return readdirSync('/proc').some(
    (name) => /^\d+$/.test(name) && !around.has(Number(name)) && placeOf(Number(name)) === place,
  )
}

/** Its session and its terminal; null for one that has ended. */
function placeOf(pid: number): string | null {
  const [state, , , session, terminal] = readStat(pid)?.fields ?? ['Z']
  return state === 'Z' ? null : `${session} ${terminal}`
}
