import type { TerminalAct } from '../../protocol/events/call.ts'
import type { Dialect } from '../../protocol/events/epoch.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import { openCall } from '../../log/open.ts'
import { answerCall, type Append } from '../append.ts'
import { isInput } from '../calls/terminal-act.ts'
import type { ActDone, RunTimedOut, RunWaits, TerminalBusy } from './report.ts'

const waits: Readonly<Record<Dialect, Readonly<Record<RunWaits['state'], string>>>> = {
  tags: {
    waiting: 'it waits for input; answer it with <input>text</input> or stop it with <interrupt/>',
    secret: 'it waits for a secret, which only the user can type',
    screen: 'it has taken the screen; send it keys with <input> or stop it with <interrupt/>',
  },
  tools: {
    waiting: 'it waits for input; answer it with terminal_write or stop it with terminal_interrupt',
    secret: 'it waits for a secret, which only the user can type',
    screen:
      'it has taken the screen; send it keys with terminal_write or stop it with terminal_interrupt',
  },
}

function wait({ state }: Append, waiting: RunWaits['state']): string {
  return waits[state.epoch?.dialect ?? 'tags'][waiting]
}

function runAndCall({ state }: Append, seq: Seq) {
  const run = state.runs.find((open) => open.seq === seq)
  return { run, call: run?.request ? openCall(state, run.request) : undefined }
}

/**
 * A model's call is answered when its program needs somebody; the run goes on. A person sees the
 * program itself, so their call stays open until it ends.
 */
export function recordWaits(append: Append, report: RunWaits): void {
  const { run, call } = runAndCall(append, report.run)
  if (run === undefined || call === undefined || call.request.meta.isClientInitiated) return
  const line = wait(append, report.state)
  const { output } = report
  answerCall(append, call, { status: 'waiting', line, output, command: run.command })
}

/** The call is answered at its time limit; the run is being stopped and ends by itself. */
export function recordTimeout(append: Append, report: RunTimedOut): void {
  const { run, call } = runAndCall(append, report.run)
  if (run === undefined || call === undefined) return
  answerCall(append, call, {
    status: 'timeout',
    command: run.command,
    line: `timed out after ${report.afterMs / 1_000} s and is being stopped`,
    output: report.output,
  })
}

/** Nothing of the model's is typed into somebody else's program, and nothing waits for ever. */
export function recordBusy(append: Append, report: TerminalBusy): void {
  const run = append.state.runs.find((open) => open.seq === report.run)
  const call = openCall(append.state, report.call)
  if (run === undefined || call === undefined || call.request.step === null) return
  if (call.at.phase !== 'unjudged' && call.at.phase !== 'allowed') return
  // The yes came as its patience ended.
  if (call.hadYes && run.source !== 'model') return
  const whose = run.source === 'model' ? 'your earlier command' : 'the user’s command'
  const which = run.private ? '' : `: ${run.command}`
  answerCall(append, call, {
    status: 'busy',
    line: `not run: ${whose} is still running in the terminal${which}`,
  })
}

const undone = { read: 'not read', resize: 'not resized' } as const

function looked(act: TerminalAct): string {
  return act.type === 'resize' ? 'the terminal has this size now' : 'the terminal as it is now'
}

export function recordAct(append: Append, report: ActDone): void {
  const call = openCall(append.state, report.call)
  const act = call?.request.act
  if (call === undefined || act === undefined) return
  if (report.refused !== null) {
    const what = isInput(act) ? 'not sent' : undone[act.type]
    return answerCall(append, call, { status: 'error', line: `${what}: ${report.refused}` })
  }
  const { state, output } = report
  const line =
    state === 'ended'
      ? 'the program has ended'
      : state === 'running'
        ? 'it goes on'
        : state === 'looked'
          ? looked(act)
          : wait(append, state)
  answerCall(append, call, { status: 'done', line, output })
}
