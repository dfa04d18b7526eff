import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { readProc, readProcess, sendSignal, sessionMembers } from './processes.ts'
import { encodeOffset, frameKind } from '../../protocol/holder/frames.ts'
import type { Outbox } from '../link/outbox.ts'

const { SIGHUP, SIGCONT, SIGSTOP, SIGKILL } = constants.signals
const pollMs = 10
/** Looks cost: fifty shells that end at once need that time for their end. */
const maxPollMs = 40
/** Time to save a history file or a draft, not to go on working. */
const politeMs = 500
const killMs = 2000
/** More than a fork bomb needs to be found whole, when those found start nothing any more. */
const maxLooks = 20

/**
 * Ends everything of a terminal session: as if its window was closed, then by force. `look` says who lives in it; it is
 * costly, and so asked only when the shell and what it started are gone.
 */
export async function endSession(
  session: number,
  look: () => Promise<readonly number[]>,
): Promise<void> {
  let end = performance.now() + politeMs
  let members: readonly number[] = family(session)
  while (members.length > 0) {
    for (const pid of members) {
      sendSignal(pid, SIGHUP)
      sendSignal(pid, SIGCONT)
    }
    if (!(await gone(members, { session, end }))) return endByForce(session)
    const asked = performance.now()
    members = await look()
    // Those who are found late have their time as well.
    end += performance.now() - asked
  }
}

async function endByForce(session: number): Promise<void> {
  for (let left = killMs; left > 0; left -= politeMs) {
    killSession(session)
    const members = sessionMembers(session)
    if (await gone(members, { session, end: performance.now() + politeMs })) return
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

async function gone(
  members: readonly number[],
  { session, end }: { session: number; end: number },
): Promise<boolean> {
  for (let ms = pollMs; members.some((pid) => isMember(pid, session)); ms = nextPoll(ms)) {
    if (performance.now() >= end) return false
    await delay(ms)
  }
  return true
}

const nextPoll = (ms: number) => Math.min(2 * ms, maxPollMs)

function isMember(pid: number, session: number): boolean {
  const found = readProcess(pid)
  return found !== null && found.session === session && found.state !== 'Z'
}

/** The shell and what it started, as far as that is its own child still. */
function family(session: number, pid = session): number[] {
  const children = readProc(`/proc/${pid}/task/${pid}/children`)?.trim() ?? ''
  const found = children === '' ? [] : children.split(' ').map(Number)
  const own = isMember(pid, session) ? [pid] : []
  return [...own, ...found.flatMap((child) => family(session, child))]
}

/**
 * A server looks at once; one that takes longer is stopped, or of a version that does not know the question. On a busy
 * machine it needs a while, and would need longer if all holders began to look themselves.
 */
const answerMs = 1000

/**
 * Finds who is left of a session, for a holder that ends. All processes of the machine have to be looked at for it, so
 * the server does it, once for all holders that end at the same time: fifty of them would else do little but read
 * `/proc`. Without a server, or when it says nothing, the holder looks itself.
 */
export function createAskMembers(session: number, outbox: Outbox) {
  let isSilent = false
  let answered: (pids: readonly number[]) => void = () => {}

  function ask(): Promise<readonly number[]> {
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        // A later answer would be about an earlier moment.
        isSilent = true
        resolve(sessionMembers(session))
      }, answerMs)
      answered = (pids) => {
        clearTimeout(late)
        resolve(pids)
      }
      outbox.send(frameKind.who, encodeOffset(session))
    })
  }

  return {
    /** Everything that lives in the session. */
    members: async () => (outbox.isAttached() && !isSilent ? ask() : sessionMembers(session)),
    /** The server's answer. */
    living: (pids: readonly number[]) => answered(pids),
  }
}
