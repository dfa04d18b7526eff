import type { ToolRequest } from '../protocol/call.ts'
import type { RunStart } from '../protocol/run.ts'
import type { Seq } from '../protocol/seq.ts'
import type { TerminalAct } from '../protocol/terminal-act.ts'
import {
  commandOf,
  headCall,
  isCommand,
  isStopped,
  openCall,
  terminalRun,
  waitingCalls,
} from '../log/open.ts'
import type { OpenCall, SessionState } from '../log/state.ts'
import { isHarmless, isInput } from './terminal-act.ts'

/** Something that should be under way. The host starts keys that appear and aborts keys that vanish. */
export type Effect =
  | { key: string; type: 'call-model'; step: Seq }
  | { key: string; type: 'start-shell'; generation: number; cwd: string }
  | { key: string; type: 'judge'; call: ToolRequest; command: string; stamp: number }
  | { key: string; type: 'act'; call: Seq; act: TerminalAct; hidden: SessionState['hidden'] }
  | { key: string; type: 'await-terminal'; call: Seq; run: Seq; patience: 'none' | 'some' | 'much' }
  | { key: string; type: 'command'; call: ToolRequest }
  | { key: string; type: 'compact'; turn: Seq }
  | { key: string; type: 'run'; run: RunStart; by: 'person' | 'model' }

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

/** Also for a person who looks at the terminal: live, so the host asks for it. */
export function startShell(state: SessionState): readonly (Effect & { type: 'start-shell' })[] {
  if (state.shell.phase === 'live') return []
  const generation = state.shell.generation + 1
  const cwd = state.shell.cwd ?? state.workspace
  return [{ key: `shell:${generation}`, type: 'start-shell', generation, cwd }]
}

/** Judged as late as can be: at the free prompt where it would run. */
function judgement(state: SessionState): readonly Effect[] {
  const call = unjudgedCall(state)
  if (!call || state.shell.phase !== 'live' || terminalRun(state)) return []
  const command = commandOf(call)
  if (command === undefined) return []
  const { stamp } = state
  const key = `judge:${call.request.seq}:${stamp}`
  return [{ key, type: 'judge', call: call.request, command, stamp }]
}

/** What the model does with the terminal, once it may. */
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

/** How long a model's call waits for a terminal in use: not at all for what waits itself. */
function patience(state: SessionState): readonly Effect[] {
  const run = terminalRun(state)
  const call = headCall(state)
  if (!run || !call?.request.run || state.turn === null) return []
  if (run.request === call.request.seq) return []
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
    // Whoever asked for it has taken it back, or its time is up.
    if (run.lane === 'background' && call === undefined) return []
    const by = run.source === 'model' ? 'model' : 'person'
    return [{ key: `run:${run.seq}`, type: 'run', run, by }]
  })
}
