import { isSameProtocol } from '../protocol/events/epoch.ts'
import type { Seq } from '../protocol/events/seq.ts'
import type { TurnEnd } from '../protocol/events/turn.ts'
import { deliverable, headCall } from '../log/open.ts'
import type { OpenTurn, SessionState } from '../log/state.ts'
import { hasUsage } from '../log/meter.ts'
import { type Append, type NewEvent, system } from './append.ts'
import type { Catalogue } from './catalogue.ts'

/** The step is over when its last call is answered; the turn goes on only if there was one. */
export function closeStep(append: Append, catalogue: Catalogue): void {
  const { step } = append.state
  if (step === null || step.phase !== 'calls' || headCall(append.state)) return
  endStep(append)
  const { turn, limits } = append.state
  if (turn === null) return
  if (!step.hasCalls) endTurn(append, 'done')
  else if (turn.steps >= limits.stepsPerTurn) endTurn(append, 'step_limit')
  else startStep(append, turn, catalogue)
}

export function endStep(append: Append): void {
  const { step } = append.state
  if (step === null) return
  append.add({
    type: 'step_end',
    by: system,
    start: step.seq,
    hasMoreCommands: step.hasCalls,
    usage: step.usage,
    witness: step.witness,
  })
}

export function endTurn(append: Append, reason: TurnEnd): void {
  const { turn } = append.state
  if (turn === null) return
  const { seq, steps, usage, usd } = turn
  const cost = usd !== null && steps > 0 && hasUsage(usage) ? { usd } : {}
  append.add({ type: 'agent_end', by: system, turn: seq, reason, steps, usage, ...cost })
}

/**
 * The first step, another model or another protocol of its provider opens an epoch: from here on system prompt and tools are frozen.
 * Facts about the world are told once and never rebuilt.
 */
export function openEpoch(append: Append, { setup, facts }: Catalogue): void {
  const { epoch } = append.state
  if (epoch?.model === setup.model && isSameProtocol(epoch, setup)) return
  append.add({ type: 'epoch_start', by: system, ...setup })
  if (epoch !== null) return
  append.add({ ...userMessage(facts), by: system, synthetic: true })
}

/** Text for the model, as a person says it. */
export function userMessage(text: string): Extract<NewEvent, { role: 'user' }> {
  const parts = [{ type: 'text' as const, text }]
  return { type: 'message', role: 'user', parts, inContext: true, synthetic: false }
}

export function startTurn(
  append: Append,
  catalogue: Catalogue,
  { trigger, purpose }: { trigger: Seq; purpose?: 'compact' },
): void {
  append.add({ type: 'agent_start', by: system, trigger, ...(purpose && { purpose }) })
  if (append.state.turn) startStep(append, append.state.turn, catalogue)
}

/** The host puts the measure in when it renders the request, before the event is stored. */
const unmeasured = { bytes: 0, hash: '', added: [] }

function startStep(append: Append, turn: OpenTurn, catalogue: Catalogue): void {
  openEpoch(append, catalogue)
  const { results } = append.state
  const inCallOrder = [...results].sort((a, b) => a.index - b.index).map(({ seq }) => seq)
  append.add({
    type: 'step_start',
    by: system,
    turn: turn.seq,
    step: turn.steps + 1,
    takes: [...inCallOrder, ...deliverable(append.state)],
    request: unmeasured,
  })
}

/** Starts the turn that something waits for, unless one is under way. */
export function startWaitingTurn(append: Append, catalogue: Catalogue): void {
  const { state } = append
  if (state.turn !== null || state.step !== null) return
  // A prompt that stands before what a turn is wanted about is said first.
  if (state.wanted !== null && !deliverable(state).includes(state.wanted)) return
  const trigger = state.wanted ?? firstStartable(state)
  if (trigger !== null) startTurn(append, catalogue, { trigger })
}

/** Input queued for a turn that was stopped or failed waits until a person goes on. */
function firstStartable(state: SessionState): Seq | null {
  const { queue, lastTurn } = state
  const isPaused = lastTurn?.reason === 'aborted' || lastTurn?.reason === 'failed'
  const first = queue.find((input) => !isPaused || input.seq > lastTurn.end)
  return first && deliverable(state).includes(first.seq) ? first.seq : null
}
