import { createContext, useContext } from 'react'
import type { Client } from '../../client/connect.ts'
import { routes } from '../../protocol/routes.ts'
import type { Answer, Drive, Interrupt, Update } from '../../protocol/intent.ts'
import type { Seq, SessionId } from '../../protocol/seq.ts'
import { complain } from './toasts.ts'

/** What a person can do in the open session, besides sending text. A no is shown, never thrown. */
export interface SessionActions {
  id: SessionId
  answer(answer: Omit<Answer, 'type'>): Promise<void>
  /** Ends the turn. */
  abort(): Promise<void>
  interrupt(signal: Interrupt['signal']): Promise<void>
  /** Lets a silent command go on. */
  keep(): Promise<void>
  drive(driver: Drive['driver']): Promise<void>
  /** Commands run in the shell that reads in the terminal now. */
  adopt(): Promise<void>
  withdraw(seq: Seq): Promise<void>
  /** False when it was not changed any more. */
  editQueued(seq: Seq, text: string): Promise<boolean>
  update(changes: Omit<Update, 'type'>): Promise<void>
}

export function createSessionActions({ call }: Client, id: SessionId): SessionActions {
  const params = { id }
  const isDone = (asked: Promise<unknown>) =>
    asked.then(
      () => true,
      (error: unknown) => {
        complain(error)
        return false
      },
    )
  const told = async (asked: Promise<unknown>) => {
    await isDone(asked)
  }
  return {
    id,
    answer: (body) => told(call(routes.answer, { params, body })),
    abort: () => told(call(routes.abort, { params, body: {} })),
    interrupt: (signal) => told(call(routes.interrupt, { params, body: { signal } })),
    keep: () => told(call(routes.keep, { params, body: {} })),
    drive: (driver) => told(call(routes.driver, { params, body: { driver } })),
    adopt: () => told(call(routes.adopt, { params, body: {} })),
    withdraw: (seq) => told(call(routes.queue, { params, body: { seq } })),
    editQueued: (seq, text) => isDone(call(routes.queue, { params, body: { seq, text } })),
    update: (body) => told(call(routes.updateSession, { params, body })),
  }
}

export const SessionContext = createContext<SessionActions | null>(null)

export function useSession(): SessionActions {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('a component stands outside of a session')
  return session
}
