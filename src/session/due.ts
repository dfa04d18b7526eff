import type { TerminalAct, ToolRequest } from '../protocol/events/call.ts'
import type { RunStart } from '../protocol/events/run.ts'
import type { Seq } from '../protocol/events/seq.ts'
import {
  commandOf,
  headCall,
  isBeside,
  isCommand,
  isStopped,
  openCall,
  termsOf,
  terminalRun,
  waitingCalls,
} from '../log/open.ts'
import type { OpenCall, SessionState } from '../log/state.ts'
import { neverRun } from './calls/never-run.ts'
import { prepareAct } from './calls/prepare-act.ts'
import { isHarmless, isInput } from './calls/terminal-act.ts'
import type { Append } from './append.ts'
import type { Catalogue } from './catalogue.ts'
import { closeStep, startWaitingTurn } from './turn.ts'

/** Adds what has become possible: the next run, the step's end, the next step, a waiting turn. */
export function advance(append: Append, catalogue: Catalogue): void {
  if (append.state.approval === 'refuse') neverRun(append)
  const [waiting] = waitingCalls(append.state)
  if (waiting?.at.phase === 'allowed') startRun(append, waiting, waiting.at)
  startOneShots(append)
  if (append.state.step !== null) {
    prepareAct(append, catalogue)
    closeStep(append, catalogue)
  }
  if (append.state.wanted !== null || append.state.queue.length > 0)
    startWaitingTurn(append, catalogue)
}

interface Allowed {
  command: string
  mark?: number | undefined
  cwd?: string | null
  by?: RunBy
}

/** Gives a call the terminal, if that is free; a model's only where it was judged. */
export function startRun(
  append: Append,
  call: OpenCall,
  { command, mark, cwd: judgedCwd, by = {} }: Allowed,
): void {
  const { request, at } = call
  const { shell, stamp } = append.state
  if (request.run === undefined || shell.phase !== 'live' || terminalRun(append.state)) return
  if (at.phase === 'allowed' && at.stamp !== null && at.stamp !== stamp) return
  const { generation } = shell
  // The session may not have heard of all that people typed: the terminal was asked where it would run.
  const cwd = judgedCwd ?? shell.cwd
  const judged = !request.meta.isClientInitiated && {
    stamp,
    ...(mark !== undefined && { mark }),
    ...allowedBy(call, by),
  }
  addRun(append, request, { command, generation, cwd, ...judged })
}

function allowedBy({ at, yes }: OpenCall, by: RunBy): RunBy {
  return at.phase === 'allowed' && yes !== undefined ? { yes: yes.seq } : by
}

/** A one-shot run waits for nothing here; the edge bounds how many there are at once. */
function startOneShots(append: Append): void {
  for (const call of append.state.calls) {
    const { at } = call
    if (at.phase === 'allowed' && isBeside(call))
      startOneShot(append, call, { command: at.command })
  }
}

export function startOneShot(
  append: Append,
  { request }: OpenCall,
  run: Pick<RunPlace, 'command' | 'verdict'>,
): void {
  addRun(append, request, { ...run, generation: 0, cwd: request.run?.cwd ?? null })
}

/** An earlier yes, or the policy's word, that a run starts by. */
export type RunBy = Pick<RunStart, 'yes' | 'verdict'>

type RunPlace = Pick<RunStart, 'command' | 'generation' | 'cwd' | 'stamp' | 'mark'> & RunBy

function addRun(append: Append, { run, seq, by }: ToolRequest, place: RunPlace): void {
  if (run === undefined) return
  const { source, lane, private: isPrivate, timeoutMs } = run
  const { command, generation, cwd, ...judged } = place
  append.add({
    type: 'run_start',
    by,
    run: `sh-${append.id()}`,
    request: seq,
    command,
    source,
    lane,
    private: isPrivate,
    generation,
    timeoutMs,
    cwd,
    ...judged,
  })
}

/** Something that should be under way. The host starts keys that appear and aborts keys that vanish. */
export type Effect =
  | { key: string; type: 'call-model'; step: Seq }
  | { key: string; type: 'start-shell'; generation: number; cwd: string }
  | { key: string; type: 'judge'; call: ToolRequest; command: string; stamp: number; terms: string }
  | { key: string; type: 'act'; call: Seq; act: TerminalAct; hidden: SessionState['hidden'] }
  | { key: string; type: 'await-terminal'; call: Seq; run: Seq; patience: 'none' | 'some' | 'much' }
  | { key: string; type: 'command'; call: ToolRequest }
  | { key: string; type: 'compact'; turn: Seq }
  // `level`: the shell that the session knows as the innermost.
  | { key: string; type: 'run'; run: RunStart; by: 'person' | 'model'; level: number }

export function due(state: SessionState): readonly Effect[] {
  return [
    ...reply(state),
    ...shell(state),
    ...judgement(state),
    ...act(state),
    ...patience(state),
    ...commands(state),
    ...compaction(state),
    ...runs(state),
  ]
}

function reply({ step, turn }: SessionState): readonly Effect[] {
  if (step?.phase !== 'asking' || turn === null) return []
  return [{ key: `model:${step.seq}`, type: 'call-model', step: step.seq }]
}

/** A shell starts when something waits for one, never because a session was opened. */
function shell(state: SessionState): readonly Effect[] {
  return waitingCalls(state).length > 0 || unjudgedCall(state) ? startShell(state) : []
}

/** The host asks for it too, when a person looks at the terminal of a session without a shell. */
export function startShell(state: SessionState): readonly (Effect & { type: 'start-shell' })[] {
  if (state.shell.phase === 'live') return []
  const generation = state.shell.generation + 1
  const cwd = state.shell.cwd ?? state.workspace
  return [{ key: `shell:${generation}`, type: 'start-shell', generation, cwd }]
}

/** A call is judged as late as possible: at the free prompt where it would run. */
function judgement(state: SessionState): readonly Effect[] {
  const { stamp } = state
  const terms = termsOf(state)
  const call = unjudgedCall(state)
  const isReady = call && state.shell.phase === 'live' && !terminalRun(state)
  const beside = state.calls.filter((each) => isBeside(each) && each.at.phase === 'unjudged')
  return [
    ...(isReady ? judgementOf(call, { stamp, terms }) : []),
    // A shell of its own, which no stamp of the terminal's is about.
    ...beside.flatMap((each) => judgementOf(each, { stamp: 0, terms })),
  ]
}

function judgementOf(
  call: OpenCall,
  { stamp, terms }: { stamp: number; terms: string },
): readonly Effect[] {
  const command = commandOf(call)
  if (command === undefined) return []
  // In another mode it is judged anew.
  const key = `judge:${call.request.seq}:${stamp}:${terms}`
  return [{ key, type: 'judge', call: call.request, command, stamp, terms }]
}

/** The model's act in the terminal, once it is allowed. */
function act(state: SessionState): readonly Effect[] {
  const call = headCall(state)
  const asked = call?.request.act
  if (!call || !asked || state.turn === null || state.shell.phase !== 'live') return []
  if (isInput(asked) && (!terminalRun(state) || isForAnother(state, call))) return []
  const mayBeDone =
    call.at.phase === 'allowed' || (call.at.phase === 'unjudged' && isHarmless(asked))
  if (!mayBeDone) return []
  const { seq } = call.request
  const { hidden } = state
  return [{ key: `act:${seq}`, type: 'act', call: seq, act: asAllowed(asked, call), hidden }]
}

/** The program that it was meant for has ended: it goes to none that came after it. */
function isForAnother({ stamp }: SessionState, { at }: OpenCall): boolean {
  return at.phase === 'allowed' && at.stamp !== null && at.stamp !== stamp
}

/** A person may have changed the text before saying yes. */
function asAllowed(act: TerminalAct, { at }: OpenCall): TerminalAct {
  return at.phase === 'allowed' && act.type === 'text' ? { type: 'text', text: at.command } : act
}

/**
 * The patience of a model's call with a terminal in use: none for a program that itself waits. A call that a person said
 * yes to waits for their own command as long as that takes, and is judged anew then.
 */
function patience(state: SessionState): readonly Effect[] {
  const run = terminalRun(state)
  const call = headCall(state)
  if (!run || !call?.request.run || state.turn === null) return []
  if (run.request === call.request.seq || (call.hadYes && run.source !== 'model')) return []
  if (call.at.phase !== 'unjudged' && call.at.phase !== 'allowed') return []
  const key = `busy:${call.request.seq}:${run.seq}`
  const patience = state.waiting.includes(run.seq)
    ? 'none'
    : run.source === 'model'
      ? 'much'
      : 'some'
  return [{ key, type: 'await-terminal', call: call.request.seq, run: run.seq, patience }]
}

function commands(state: SessionState): readonly Effect[] {
  return state.calls
    .filter((call) => isCommand(call) && call.at.phase !== 'asked' && !isStopped(state, call))
    .filter(({ request }) => request.step === null || headCall(state)?.request === request)
    .map(({ request }) => ({ key: `command:${request.seq}`, type: 'command', call: request }))
}

function compaction({ summary }: SessionState): readonly Effect[] {
  if (summary === null) return []
  return [{ key: `compact:${summary}`, type: 'compact', turn: summary }]
}

function unjudgedCall(state: SessionState): OpenCall | undefined {
  const call = headCall(state)
  if (call?.at.phase !== 'unjudged' || state.turn === null) return undefined
  return call.request.run === undefined ? undefined : call
}

function runs(state: SessionState): readonly Effect[] {
  return state.runs.flatMap((run): Effect[] => {
    const call = run.request === null ? undefined : openCall(state, run.request)
    if (run.source === 'typed' || (call && isStopped(state, call))) return []
    // Its caller has taken it back, or its time is up.
    if (run.lane === 'background' && call === undefined) return []
    const by = run.source === 'model' ? 'model' : 'person'
    return [{ key: `run:${run.seq}`, type: 'run', run, by, level: state.levels.length }]
  })
}
