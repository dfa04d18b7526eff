import { assertNever } from '../protocol/assert-never.ts'
import type { Event } from '../protocol/event.ts'
import type { Drive, EditQueued, Intent, Interrupt, Update, Withdraw } from '../protocol/intent.ts'
import type { Refusal } from '../protocol/refusal.ts'
import { ok, refused, type Result } from '../protocol/result.ts'
import { openCall, terminalRun } from '../log/open.ts'
import type { OpenCall, SessionState } from '../log/state.ts'
import { abort } from './abort.ts'
import { adopt } from './adopt.ts'
import { advance } from './advance.ts'
import { belongings, takeBack } from './attach.ts'
import { decideAnswer } from './decide-answer.ts'
import { decideShell } from './decide-shell.ts'
import { decideSubmit } from './decide-submit.ts'
import { answerCall } from './answer-call.ts'
import { type Append, type Envelope, openAppend, type Wish } from './append.ts'
import type { Catalogue } from './catalogue.ts'
import { sayPrompt } from './prompt.ts'
import { refuse } from './refuse.ts'

/** What an intent comes to: events to append, and perhaps something for the live terminal. */
export interface Decision extends Wish {
  events: readonly Event[]
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
  return ok({ events: append.events, ...append.wish })
}

function apply(append: Append, intent: Intent, catalogue: Catalogue): Refusal | null {
  switch (intent.type) {
    case 'submit':
      return decideSubmit(append, intent, catalogue)
    case 'shell':
      return decideShell(append, intent, catalogue)
    case 'answer':
      return decideAnswer(append, intent, catalogue)
    case 'abort':
      return abort(append, catalogue)
    case 'interrupt':
      return interrupt(append, intent)
    case 'keep':
      return keep(append)
    case 'adopt':
      return adopt(append)
    case 'drive':
      return drive(append, intent)
    case 'withdraw':
      return withdraw(append, intent, catalogue)
    case 'edit_queued':
      return editQueued(append, intent, catalogue)
    case 'update':
      return update(append, intent)
    default:
      return assertNever(intent)
  }
}

function interrupt({ state, wish }: Append, { signal }: Interrupt): Refusal | null {
  const isRestart = signal === 'restart' && state.shell.phase === 'live'
  if (!isRestart && !terminalRun(state))
    return refuse('no_run', 'Nothing is running in the terminal.')
  wish.signal = signal
  return null
}

function keep({ state, wish }: Append): Refusal | null {
  const run = terminalRun(state)
  if (!run || run.source === 'model')
    return refuse('no_run', 'No command of yours is running in the terminal.')
  wish.keep = true
  return null
}

function drive({ state, wish }: Append, { driver }: Drive): Refusal | null {
  if (!terminalRun(state))
    return refuse('no_run', 'Nothing is running in the terminal; the keyboard is yours.')
  wish.driver = driver
  return null
}

function withdraw(append: Append, { seq }: Withdraw, catalogue: Catalogue): Refusal | null {
  if (append.state.queue.some((input) => input.seq === seq)) {
    takeBack(append, seq)
    advance(append, catalogue)
    return null
  }
  const call = openCall(append.state, seq)
  const line = call && withdrawable(call)
  if (!line)
    return refuse('not_waiting', `Nothing with number ${seq} is waiting; it may have started.`)
  answerCall(append, call, { status: 'cancelled', line })
  advance(append, catalogue)
  return null
}

/** A person's own call can be taken back until it has the terminal; beside the terminal, always. */
function withdrawable({ request, at }: OpenCall): string | null {
  if (!request.meta.isClientInitiated) return null
  if (at.phase === 'allowed') return 'withdrawn before it started'
  const isBeside = at.phase === 'running' && request.run?.lane === 'background'
  return isBeside ? 'cancelled by the user' : null
}

function editQueued(
  append: Append,
  { seq, text }: EditQueued,
  catalogue: Catalogue,
): Refusal | null {
  if (!append.state.queue.some((input) => input.seq === seq))
    return refuse('not_waiting', `Input ${seq} is not in the queue; it may have been delivered.`)
  if (text.trim() === '') return refuse('empty_input', 'Withdraw it instead of emptying it.')
  const kept = belongings(append.state, seq)
  takeBack(append, seq)
  return sayPrompt(append, { text, replaces: seq, with: kept }, catalogue)
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
