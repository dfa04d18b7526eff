import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { sendSignal, sessionMembers } from './processes.ts'

const { SIGHUP, SIGCONT, SIGKILL } = constants.signals
const pollMs = 10
/** Time to save a history file or a draft, not to go on working. */
const politeMs = 500
const killMs = 2000

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

export function killSession(session: number): void {
  for (const pid of sessionMembers(session)) sendSignal(pid, SIGKILL)
}

async function gone(session: number, withinMs: number): Promise<boolean> {
  for (let left = withinMs; left > 0; left -= pollMs) {
    if (sessionMembers(session).length === 0) return true
    await delay(pollMs)
  }
  return false
}
