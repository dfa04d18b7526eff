import type { Seq } from '../protocol/seq.ts'
import type { TerminalAct, TerminalInput } from '../protocol/terminal-act.ts'
import type { TurnEnd } from '../protocol/turn.ts'
import { deliverable, headCall, terminalRun, waitingCalls } from '../log/open.ts'
import type { OpenCall, OpenTurn, SessionState } from '../log/state.ts'
import { answerCall } from './answer-call.ts'
import { type Append, system } from './append.ts'
import type { Catalogue } from './catalogue.ts'
import { inputText } from './input-text.ts'
import { openAsk } from './open-ask.ts'
import { describeAct, isHarmless, isInput } from './terminal-act.ts'

/** Does what has become possible: the next run, the step's end, the next step, a waiting turn. */
export function advance(append: Append, catalogue: Catalogue): void {
  const [waiting] = waitingCalls(append.state)
  if (waiting?.at.phase === 'allowed') startRun(append, waiting, waiting.at)
  startOneShots(append)
  prepareAct(append, catalogue)
  closeStep(append, catalogue)
  startWaitingTurn(append, catalogue)
}

/** Input for a program: there must be one, and a person says yes unless it is harmless. */
function prepareAct(append: Append, catalogue: Catalogue): void {
  for (let call = headCall(append.state); call; call = headCall(append.state)) {
    const { act } = call.request
    if (act === undefined || call.at.phase !== 'unjudged' || append.state.turn === null) return
    const why = impossible(append.state, act, catalogue)
    if (why !== null) answerCall(append, call, { status: 'error', line: why })
    else if (isHarmless(act)) return
    else if (append.state.approval === 'refuse')
      answerCall(append, call, { status: 'denied', line: 'not sent: nobody is here to ask' })
    else return askForInput(append, call, describeAct(act))
  }
}

function impossible(state: SessionState, act: TerminalAct, { noInput }: Catalogue): string | null {
  const run = terminalRun(state)
  if (isInput(act) && !run) return 'not sent: nothing is running'
  if (isInput(act) && run?.private) return 'not sent: the user is running a private command'
  if (isInput(act)) return unsendable(act, noInput)
  if (state.shell.phase !== 'live') return 'there is no terminal yet: run a command first'
  if (act.type !== 'read') return null
  if (state.private) return 'not read: the user works in private'
  return run?.private === true ? 'not read: the user is running a private command' : null
}

/** Nobody is asked for what could not be sent after a yes; Ctrl+C always can. */
function unsendable(act: TerminalInput, noInput: string | null): string | null {
  if (act.type === 'interrupt') return null
  const text = inputText(act)
  const why = text.ok ? noInput : text.error
  return why === null ? null : `not sent: ${why}`
}

function askForInput(append: Append, call: OpenCall, text: string): void {
  const run = terminalRun(append.state)
  openAsk(append, {
    kind: 'terminal_input',
    request: call.request.seq,
    command: text,
    reasons: [`it is typed into the running program: ${run?.command ?? ''}`],
    cwd: append.state.shell.cwd,
  })
}

/** Gives a call the terminal, if that is free; a model's only where it was judged. */
export function startRun(
  append: Append,
  call: OpenCall,
  { command, mark }: { command: string; mark?: number | undefined },
): void {
  const { shell, stamp } = append.state
  const { run, seq, by, meta } = call.request
  if (run === undefined || shell.phase !== 'live' || terminalRun(append.state)) return
  const { at } = call
  if (at.phase === 'allowed' && at.stamp !== null && at.stamp !== stamp) return
  append.add(
    {
      type: 'run_start',
      run: `sh-${append.id()}`,
      request: seq,
      command,
      source: run.source,
      lane: run.lane,
      private: run.private,
      generation: shell.generation,
      timeoutMs: run.timeoutMs,
      cwd: shell.cwd,
      ...(!meta.isClientInitiated && { stamp, ...(mark !== undefined && { mark }) }),
    },
    by,
  )
}

/** What runs beside the terminal waits for nothing here; the edge has only so many places at once. */
function startOneShots(append: Append): void {
  for (const { request, at } of append.state.calls) {
    const { run, seq, by } = request
    if (at.phase !== 'allowed' || run?.lane !== 'background') continue
    const { source, lane, timeoutMs, private: isPrivate, cwd = null } = run
    append.add(
      {
        type: 'run_start',
        run: `sh-${append.id()}`,
        request: seq,
        command: at.command,
        source,
        lane,
        private: isPrivate,
        generation: 0,
        timeoutMs,
        cwd,
      },
      by,
    )
  }
}

/** The step is over when its last call is answered; the turn goes on only if there was one. */
function closeStep(append: Append, catalogue: Catalogue): void {
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
  append.add(
    {
      type: 'step_end',
      start: step.seq,
      hasMoreCommands: step.hasCalls,
      usage: step.usage,
      witness: step.witness,
    },
    system,
  )
}

export function endTurn(append: Append, reason: TurnEnd): void {
  const { turn } = append.state
  if (turn === null) return
  const { seq, steps, usage } = turn
  append.add({ type: 'agent_end', turn: seq, reason, steps, usage }, system)
}

/**
 * The first step, or another model, opens an epoch: from here on system prompt and tools are frozen.
 * Facts about the world are told once and never rebuilt.
 */
export function openEpoch(append: Append, { setup, facts }: Catalogue): void {
  const { epoch } = append.state
  if (epoch?.model === setup.model) return
  append.add({ type: 'epoch_start', ...setup }, system)
  if (epoch !== null) return
  append.add(
    {
      type: 'message',
      role: 'user',
      parts: [{ type: 'text', text: facts }],
      inContext: true,
      synthetic: true,
    },
    system,
  )
}

export function startTurn(
  append: Append,
  catalogue: Catalogue,
  { trigger, purpose }: { trigger: Seq; purpose?: 'compact' },
): void {
  append.add({ type: 'agent_start', trigger, ...(purpose && { purpose }) }, system)
  if (append.state.turn) startStep(append, append.state.turn, catalogue)
}

/** Put in by the host when it renders the request, before the event is stored. */
const unmeasured = { bytes: 0, hash: '', added: [] }

function startStep(append: Append, turn: OpenTurn, catalogue: Catalogue): void {
  openEpoch(append, catalogue)
  const { results } = append.state
  const inCallOrder = [...results].sort((a, b) => a.index - b.index).map(({ seq }) => seq)
  append.add(
    {
      type: 'step_start',
      turn: turn.seq,
      step: turn.steps + 1,
      takes: [...inCallOrder, ...deliverable(append.state)],
      request: unmeasured,
    },
    system,
  )
}

function startWaitingTurn(append: Append, catalogue: Catalogue): void {
  const { state } = append
  if (state.turn !== null || state.step !== null) return
  // A prompt that stands before what a turn is wanted about is said first.
  if (state.wanted !== null && !deliverable(state).includes(state.wanted)) return
  const trigger = state.wanted ?? firstStartable(state)
  if (trigger !== null) startTurn(append, catalogue, { trigger })
}

/** What was queued for a turn that was stopped or failed waits until a person goes on. */
function firstStartable(state: SessionState): Seq | null {
  const { queue, lastTurn } = state
  const isPaused = lastTurn?.reason === 'aborted' || lastTurn?.reason === 'failed'
  const first = queue.find((input) => !isPaused || input.seq > lastTurn.end)
  return first && deliverable(state).includes(first.seq) ? first.seq : null
}
