import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { readProcess, sendSignal, sessionMembers } from './processes.ts'

const { SIGHUP, SIGCONT, SIGSTOP, SIGKILL } = constants.signals
const pollMs = 10
/** Time to save a history file or a draft, not to go on working. */
const politeMs = 500
const killMs = 2000
/** More than a fork bomb needs to be found whole, when those found start nothing any more. */
const maxLooks = 20

/** Ends everything of a terminal session: as if its window was closed, then by force. */
export async function endSession(session: number): Promise<void> {
  for (const pid of sessionMembers(session)) {
    sendSignal(pid, SIGHUP)
    sendSignal(pid, SIGCONT)
  }
  if (await gone(session, politeMs)) return
  for (let left = killMs; left > 0; left -= politeMs) {
    killSession(session)
    if (await gone(session, politeMs)) return
  }
}

/** Stopped first, so that nothing is started while we look: else a fork bomb outlives its killing. */
export function killSession(session: number): void {
  const found = new Set<number>()
  for (let look = 0; look < maxLooks; look += 1) {
    const fresh = sessionMembers(session).filter((pid) => !found.has(pid))
    if (fresh.length === 0) break
    for (const pid of fresh) {
      sendSignal(pid, SIGSTOP)
      found.add(pid)
    }
  }
  for (const pid of found) sendSignal(pid, SIGKILL)
}

/**
 * Those that were found are looked at again and again; all processes of the machine only when none of them is left:
 * fifty sessions that end at once would else do nothing but read `/proc`.
 */
async function gone(session: number, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  for (;;) {
    const members = sessionMembers(session)
    if (members.length === 0) return true
    while (members.some((pid) => isMember(pid, session))) {
      if (performance.now() >= end) return false
      await delay(pollMs)
    }
  }
}

function isMember(pid: number, session: number): boolean {
  const found = readProcess(pid)
  return found !== null && found.session === session && found.state !== 'Z'
}
