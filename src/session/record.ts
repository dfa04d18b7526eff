import { assertNever } from '../protocol/assert-never.ts'
import type { Event } from '../protocol/event.ts'
import { isCommand, openCall, terminalRun } from '../log/open.ts'
import type { SessionState } from '../log/state.ts'
import { advance, startRun } from './advance.ts'
import { answerCall, skipRest } from './answer-call.ts'
import { type Append, type Envelope, openAppend, system } from './append.ts'
import type { Catalogue } from './catalogue.ts'
import { openAsk } from './open-ask.ts'
import { recordRecovered } from './record-recovered.ts'
import { recordAdopted, recordLeft } from './record-level.ts'
import { recordReply, recordRetry } from './record-reply.ts'
import { recordRunEnded, recordShellEnded, recordTimeout } from './record-run.ts'
import { recordTypedEnded, recordTypedOver, recordTypedStarted } from './record-typed.ts'
import { recordBusy, recordAct, recordWaits } from './record-waits.ts'
import type { CommandDone, Compacted, Judged, Report, ShellFailed, ShellStarted } from './report.ts'

/** What effects found, as events. A report for something already closed changes nothing. */
export function record(
  state: SessionState,
  envelope: Envelope<Report>,
  catalogue: Catalogue,
): readonly Event[] {
  const append = openAppend(state, envelope)
  apply(append, envelope.body)
  if (append.events.length > 0) advance(append, catalogue)
  return append.events
}

function apply(append: Append, report: Report): void {
  switch (report.type) {
    case 'reply-ended':
      return recordReply(append, report)
    case 'reply-retried':
      return recordRetry(append, report)
    case 'judged':
      return judged(append, report)
    case 'shell-started':
      return shellStarted(append, report)
    case 'shell-failed':
      return shellFailed(append, report)
    case 'shell-ended':
      return recordShellEnded(append, report)
    case 'shell-adopted':
      return recordAdopted(append, report)
    case 'shell-left':
      return recordLeft(append, report)
    case 'run-ended':
      return recordRunEnded(append, report)
    case 'typed-started':
      return recordTypedStarted(append, report)
    case 'typed-ended':
      return recordTypedEnded(append, report)
    case 'typed-over':
      return recordTypedOver(append, report)
    case 'run-timed-out':
      return recordTimeout(append, report)
    case 'run-waits':
      return recordWaits(append, report)
    case 'terminal-busy':
      return recordBusy(append, report)
    case 'act-done':
      return recordAct(append, report)
    case 'command-done':
      return recordCommand(append, report)
    case 'compacted':
      return compacted(append, report)
    case 'recovered':
      return recordRecovered(append, report)
    default:
      return assertNever(report)
  }
}

const editedBefore = 'it was edited before the shell changed'

function judged(append: Append, report: Judged): void {
  const { state } = append
  const call = openCall(state, report.call)
  if (call?.at.phase !== 'unjudged' || call.request.run === undefined) return
  // Something ran meanwhile, or is running: what was judged is no longer what would happen.
  if (report.stamp !== state.stamp || terminalRun(state)) return
  const { decision, reasons, effective } = report.verdict
  const { edited } = call.at
  const command = edited ?? call.request.run.command
  const ask = {
    kind: 'approval',
    request: call.request.seq,
    command,
    effective,
    cwd: report.cwd,
    ...(report.mark !== undefined && { mark: report.mark }),
  } as const
  switch (decision) {
    case 'allow':
      // What a person wrote for another place is offered to them, not run by itself.
      if (edited !== null) return openAsk(append, { ...ask, reasons: [editedBefore] })
      startRun(append, call, { command, mark: report.mark })
      return
    case 'ask':
      return openAsk(append, { ...ask, reasons })
    case 'deny':
      answerCall(append, call, { status: 'denied', line: `not run: ${reasons.join('; ')}` })
      skipRest(append, 'skipped: an earlier command of this reply was not run', 'skipped')
      return
    default:
      assertNever(decision)
  }
}

function recordCommand(append: Append, done: CommandDone): void {
  const open = openCall(append.state, done.call)
  if (open === undefined || !isCommand(open) || open.at.phase === 'asked') return
  const { meta, seq: request } = open.request
  const { status, content, images } = done
  // What the model asked for is told to it, whatever came of it.
  const inContext = done.inContext || !meta.isClientInitiated
  append.add(
    {
      type: 'tool_response',
      meta,
      request,
      status,
      content,
      inContext,
      ...(images && { images: [...images] }),
    },
    system,
  )
}

function compacted(append: Append, { turn, next }: Compacted): void {
  if (append.state.summary !== turn) return
  if (next.ok) append.add({ type: 'session_update', next: next.value }, system)
  else
    append.add(
      {
        type: 'error',
        code: 'compact_failed',
        message: next.error,
        fatal: false,
        retryAfterMs: null,
      },
      system,
    )
}

function shellStarted(append: Append, shell: ShellStarted): void {
  const current = append.state.shell
  if (current.phase === 'live' || shell.generation !== current.generation + 1) return
  append.add({ ...shell, type: 'shell_start' }, system)
}

/** Without a shell nothing that waits for it can run: each is told so, and nothing is retried. */
function shellFailed(append: Append, { generation, message }: ShellFailed): void {
  const current = append.state.shell
  if (current.phase === 'live' || generation !== current.generation + 1) return
  append.add(
    { type: 'error', code: 'shell_failed', message, fatal: false, retryAfterMs: null },
    system,
  )
  for (const call of append.state.calls) {
    if (call.request.run?.lane !== 'terminal' || call.at.phase === 'asked') continue
    answerCall(append, call, { status: 'error', line: `not run: ${message}` })
  }
}
