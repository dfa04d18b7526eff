import { encodeOffset, frameKind } from '../../protocol/holder/frames.ts'
import type { Outbox } from '../link/outbox.ts'
import { sessionMembers } from './processes.ts'

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
