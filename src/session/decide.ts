import { assertNever } from '../protocol/assert-never.ts'
import type { Event } from '../protocol/event.ts'
import type { Drive, EditQueued, Intent, Interrupt, Update, Withdraw } from '../protocol/intent.ts'
import type { Refusal } from '../protocol/refusal.ts'
import { ok, refused, type Result } from '../protocol/result.ts'
import { headCall, openCall, terminalRun } from '../log/open.ts'
import type { SessionState } from '../log/state.ts'
import { advance, endTurn, endStep } from './advance.ts'
import { decideAnswer } from './decide-answer.ts'
import { decideSubmit } from './decide-submit.ts'
import { answerCall, skipRest } from './answer-call.ts'
import { type Append, type Envelope, openAppend } from './append.ts'
import type { Catalogue } from './catalogue.ts'
import { refuse } from './refuse.ts'

/** What an intent comes to: events to append, and perhaps a signal for the run in the terminal. */
export interface Decision {
  events: readonly Event[]
  signal?: Interrupt['signal']
  /** Who has the keyboard now: live state of the terminal, never an event. */
  driver?: Drive['driver']
  /** The run in the terminal has no limit of silence any more: live state too. */
  keep?: true
}

/** The rules of the session, for everything a client may ask. Never throws. */
export function decide(
  state: SessionState,
  envelope: Envelope<Intent>,
  catalogue: Catalogue,
): Result<Decision, Refusal> {
  const append = openAppend(state, envelope)
  const refusal = apply(append, envelope.body, catalogue)
  if (refusal) return refused(refusal)
  const intent = envelope.body
  if (intent.type === 'interrupt') return ok({ events: append.events, signal: intent.signal })
  if (intent.type === 'keep') return ok({ events: append.events, keep: true })
  if (intent.type === 'drive') return ok({ events: append.events, driver: intent.driver })
  return ok({ events: append.events })
}

function apply(append: Append, intent: Intent, catalogue: Catalogue): Refusal | null {
  switch (intent.type) {
    case 'submit':
      return decideSubmit(append, intent, catalogue)
    case 'answer':
      return decideAnswer(append, intent, catalogue)
    case 'abort':
      return abort(append, catalogue)
    case 'interrupt':
      return interrupt(append.state, intent)
    case 'keep':
      return keep(append.state)
    case 'drive':
      return drive(append.state)
    case 'withdraw':
      return withdraw(append, intent, catalogue)
    case 'edit_queued':
      return editQueued(append, intent)
    case 'update':
      return update(append, intent)
    default:
      return assertNever(intent)
  }
}

function abort(append: Append, catalogue: Catalogue): Refusal | null {
  if (append.state.turn === null) return refuse('no_turn', 'There is no turn to stop.')
  skipRest(append, 'cancelled by the user', 'cancelled')
  // A reply or a run that is still under way is closed by its own report, a moment later.
  if (append.state.step?.phase === 'calls' && !headCall(append.state)) endStep(append)
  endTurn(append, 'aborted')
  advance(append, catalogue)
  return null
}

function interrupt(state: SessionState, { signal }: Interrupt): Refusal | null {
  if (signal === 'restart' && state.shell.phase === 'live') return null
  if (terminalRun(state)) return null
  return refuse('no_run', 'Nothing is running in the terminal.')
}

function keep(state: SessionState): Refusal | null {
  const run = terminalRun(state)
  if (run && run.source !== 'model') return null
  return refuse('no_run', 'No command of yours is running in the terminal.')
}

function drive(state: SessionState): Refusal | null {
  if (terminalRun(state)) return null
  return refuse('no_run', 'Nothing is running in the terminal; the keyboard is yours.')
}

function withdraw(append: Append, { seq }: Withdraw, catalogue: Catalogue): Refusal | null {
  if (append.state.queue.some((input) => input.seq === seq)) {
    append.add({ type: 'input_withdrawn', queued: seq })
    return null
  }
  const call = openCall(append.state, seq)
  if (call?.at.phase !== 'allowed' || !call.request.meta.isClientInitiated)
    return refuse('not_waiting', `Nothing with number ${seq} is waiting; it may have started.`)
  answerCall(append, call, { status: 'cancelled', line: 'withdrawn before it started' })
  advance(append, catalogue)
  return null
}

function editQueued(append: Append, { seq, text }: EditQueued): Refusal | null {
  if (!append.state.queue.some((input) => input.seq === seq))
    return refuse('not_waiting', `Input ${seq} is not in the queue; it may have been delivered.`)
  if (text.trim() === '') return refuse('empty_input', 'Withdraw it instead of emptying it.')
  append.add({ type: 'input_withdrawn', queued: seq })
  append.add({ type: 'input_queued', text, replaces: seq })
  return null
}

function update(append: Append, changes: Update): Refusal | null {
  if (
    changes.title === undefined &&
    changes.approval === undefined &&
    changes.private === undefined
  )
    return refuse('nothing_to_change', 'Give a title, an approval mode or private.')
  const place = changes.private === undefined ? {} : { ptyAt: append.ptyAt }
  append.add({ ...changes, ...place, type: 'session_update' })
  return null
}
