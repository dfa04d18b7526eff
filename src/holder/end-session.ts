import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { sendSignal, sessionMembers } from './processes.ts'

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

async function gone(session: number, withinMs: number): Promise<boolean> {
  for (let left = withinMs; left > 0; left -= pollMs) {
    if (sessionMembers(session).length === 0) return true
    await delay(pollMs)
  }
  return false
}
