import type { Answer, Drive, Interrupt, Update } from '../../protocol/http/intent.ts'
import { routes } from '../../protocol/http/routes.ts'
import type { Seq, SessionId } from '../../protocol/events/seq.ts'
import { refusalOf } from '../wire/client-error.ts'
import type { Calls } from '../wire/call.ts'

/** The intents of one session, besides sending it a text. A refusal rejects. */
export type SessionIntents = ReturnType<typeof intentsOf>

/** There was nothing to stop any more. */
const tooLate = ['no_turn', 'no_run']

export function intentsOf({ call }: Calls, id: SessionId) {
  const params = { id }

  /** False when it came too late. */
  const isStopped = async (asked: Promise<unknown>): Promise<boolean> => {
    try {
      await asked
      return true
    } catch (error) {
      if (!tooLate.includes(refusalOf(error)?.code ?? '')) throw error
      return false
    }
  }

  return {
    answer: (body: Omit<Answer, 'type'>) => call(routes.answer, { params, body }),
    /**
     * Stops what is under way: the turn if there is one, else the command in the terminal. Says no to
     * nobody: whatever ended by itself meanwhile is stopped, too.
     */
    async stop({ hasTurn } = { hasTurn: true }): Promise<void> {
      if (hasTurn && (await isStopped(call(routes.abort, { params, body: {} })))) return
      await isStopped(call(routes.interrupt, { params, body: { signal: 'int' } }))
    },
    interrupt: (signal: Interrupt['signal']) =>
      call(routes.interrupt, { params, body: { signal } }),
    /** Lets a silent command go on. */
    keep: () => call(routes.keep, { params, body: {} }),
    drive: (driver: Drive['driver']) => call(routes.driver, { params, body: { driver } }),
    /** Commands run in the shell that reads in the terminal now. */
    adopt: () => call(routes.adopt, { params, body: {} }),
    withdraw: (seq: Seq) => call(routes.queue, { params, body: { seq } }),
    editQueued: (seq: Seq, text: string) => call(routes.queue, { params, body: { seq, text } }),
    update: (body: Omit<Update, 'type'>) => call(routes.updateSession, { params, body }),
    remove: () => call(routes.deleteSession, { params }),
  }
}
