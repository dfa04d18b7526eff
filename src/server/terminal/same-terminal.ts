import { readFileSync } from 'node:fs'

/** Whether a process is on this machine and in the same terminal as the shell; of another one only its number is. */
export function isInTerminal(pid: number, shellPid: number): boolean {
  const own = placeOf(shellPid)
  return own !== null && placeOf(pid) === own
}

/** Its session and its terminal. */
function placeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name is in brackets and may hold anything, so fields count from the last bracket.
    const [, , , session, terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return `${session} ${terminal}`
  } catch {
    return null
  }
}
