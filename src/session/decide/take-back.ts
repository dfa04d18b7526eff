import { isInvisible } from '../../base/text.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import type { EditQueued, Withdraw, Drive, Interrupt } from '../../protocol/http/intent.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { headCall, isBeside, isHeld, openCall, terminalRun } from '../../log/open.ts'
import type { OpenCall } from '../../log/state.ts'
import { answerCall, type Append, closeCall, refuse } from '../append.ts'
import { skipRest, voidAsk } from '../asks.ts'
import type { Catalogue } from '../catalogue.ts'
import { advance } from '../due.ts'
import { endStep, endTurn } from '../turn.ts'
import { belongings } from './attach.ts'
import { sayPrompt } from './prompt.ts'
import { askEdge } from '../commands/command.ts'

/** Ends the turn, and a run of the model’s with it; or takes back what would have begun one. */
export function abort(append: Append, catalogue: Catalogue): Refusal | null {
  const { turn, queue } = append.state
  const held = queue.filter(({ seq }) => isHeld(append.state, seq))
  if (turn === null && held.length === 0) return refuse('no_turn', 'There is no turn to stop.')
  if (turn === null) for (const { seq } of held) takeBack(append, seq)
  else endAborted(append)
  advance(append, catalogue)
  return null
}

function endAborted(append: Append): void {
  skipRest(append, 'cancelled by the user', 'cancelled')
  // A reply or a run that is still under way is closed by its own report, a moment later.
  if (append.state.step?.phase === 'calls' && !headCall(append.state)) endStep(append)
  endTurn(append, 'aborted')
}

export function withdraw(append: Append, { seq }: Withdraw, catalogue: Catalogue): Refusal | null {
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
function withdrawable(call: OpenCall): string | null {
  const { request, at } = call
  if (!request.meta.isClientInitiated) return null
  const isToJudge = at.phase === 'unjudged' && isBeside(call)
  if (at.phase === 'allowed' || isToJudge) return 'withdrawn before it started'
  return at.phase === 'running' && isBeside(call) ? 'cancelled by the user' : null
}

export function editQueued(
  append: Append,
  { seq, text }: EditQueued,
  catalogue: Catalogue,
): Refusal | null {
  if (!append.state.queue.some((input) => input.seq === seq))
    return refuse('not_waiting', `Input ${seq} is not in the queue; it may have been delivered.`)
  if (isInvisible(text)) return refuse('empty_input', 'Withdraw it instead of emptying it.')
  const kept = belongings(append.state, seq)
  takeBack(append, seq)
  return sayPrompt(append, { text, replaces: seq, with: kept }, catalogue)
}

/** Withdraws a waiting prompt, with the calls that were made for it. */
function takeBack(append: Append, prompt: Seq): void {
  for (const call of append.state.calls) {
    if (call.request.prompt !== prompt) continue
    voidAsk(append, call)
    const content = 'withdrawn with its prompt'
    closeCall(append, call.request, { status: 'cancelled', content, inContext: false })
  }
  append.add({ type: 'input_withdrawn', queued: prompt })
}

export function interrupt({ state, orders }: Append, { signal }: Interrupt): Refusal | null {
  const isRestart = signal === 'restart' && state.shell.phase === 'live'
  if (!isRestart && !terminalRun(state))
    return refuse('no_run', 'Nothing is running in the terminal.')
  orders.signal = signal
  return null
}

export function keep({ state, orders }: Append): Refusal | null {
  const run = terminalRun(state)
  if (!run || run.source === 'model')
    return refuse('no_run', 'No command of yours is running in the terminal.')
  orders.keep = true
  return null
}

export function drive({ state, orders }: Append, { driver }: Drive): Refusal | null {
  if (!terminalRun(state))
    return refuse('no_run', 'Nothing is running in the terminal; the keyboard is yours.')
  orders.driver = driver
  return null
}

/** Asks the edge to adopt the program in the terminal: only the edge can tell whether it is a shell. */
export function adopt(append: Append, text = '/adopt'): Refusal | null {
  const { state } = append
  const run = terminalRun(state)
  if (state.shell.phase !== 'live' || (!run && !state.isMute))
    return refuse('no_run', 'There is no shell to adopt: nothing runs in the terminal.')
  if (run?.private)
    return refuse(
      'no_run',
      'A private command is not adopted: the model would see what runs in it.',
    )
  if (state.calls.some(({ request }) => request.name === 'adopt'))
    return refuse('taken', 'A shell is being adopted already.')
  return askEdge(append, 'adopt', { text, args: new Map() })
}
