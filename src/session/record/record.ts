import { isCommand, openCall, terminalRun } from '../../log/open.ts'
import {
  answerCall,
  type Append,
  closeCall,
  type Envelope,
  fault,
  openAppend,
  system,
} from '../append.ts'
import type {
  ShellAdopted,
  ShellEnded,
  ShellFailed,
  ShellLeft,
  ShellStarted,
  CommandDone,
  Compacted,
  Report,
} from './report.ts'
import { closeLevels, recordRunEnded, unknownEnd } from './run-end.ts'
import { assertNever } from '../../base/assert-never.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { SessionState } from '../../log/state.ts'
import type { Catalogue } from '../catalogue.ts'
import { advance } from '../due.ts'
import { recordJudged } from './judged.ts'
import { recordRecovered } from './recovered.ts'
import { recordReply, recordRetry } from './reply.ts'
import { recordTypedEnded, recordTypedOver, recordTypedStarted } from './typed.ts'
import { recordAct, recordBusy, recordTimeout, recordWaits } from './waits.ts'

function recordShellStarted(append: Append, shell: ShellStarted): void {
  const current = append.state.shell
  if (current.phase === 'live' || shell.generation !== current.generation + 1) return
  append.add({ ...shell, type: 'shell_start', by: system })
}

/** Without a shell nothing that waits for it can run: each is told so, and nothing is retried. */
function recordShellFailed(append: Append, { generation, message }: ShellFailed): void {
  const current = append.state.shell
  if (current.phase === 'live' || generation !== current.generation + 1) return
  append.add({ type: 'error', by: system, ...fault('shell_failed', message) })
  for (const call of append.state.calls) {
    if (call.request.run?.lane !== 'terminal' || call.at.phase === 'asked') continue
    answerCall(append, call, { status: 'error', line: `not run: ${message}` })
  }
}

function recordShellEnded(append: Append, end: ShellEnded): void {
  const { shell } = append.state
  if (shell.phase !== 'live' || end.generation !== shell.generation) return
  const outcome = end.reason === 'lost' ? 'lost' : 'shell_exited'
  closeLevels(append, { first: 1, outcome })
  for (const run of append.state.runs)
    if (run.lane === 'terminal') recordRunEnded(append, { ...unknownEnd, run: run.seq, outcome })
  append.add({ ...end, type: 'shell_exit', by: system })
}

/** Every server that finds an adopted shell reports it again; its first mark tells whether it is known. */
function recordAdopted(append: Append, adopted: ShellAdopted): void {
  const { shell, levels, lastAdopted } = append.state
  if (shell.phase !== 'live' || adopted.generation !== shell.generation) return
  if (adopted.ptyAt <= lastAdopted || adopted.level > levels.length + 1) return
  // A shell that became another program is gone, with all that was inside.
  closeLevels(append, { first: Math.max(1, adopted.level), outcome: 'shell_exited' })
  const around = adopted.level === 0 ? undefined : terminalRun(append.state)
  // The model is told which command led there.
  const command = around?.private ? 'a private command' : (around?.command ?? '')
  const run = around?.seq ?? null
  append.add({ ...adopted, type: 'shell_adopt', by: system, run, command })
}

function recordLeft(append: Append, { generation, level, ptyAt }: ShellLeft): void {
  const { shell, levels } = append.state
  if (shell.phase !== 'live' || generation !== shell.generation) return
  if (levels[level - 1]?.ptyAt === ptyAt)
    closeLevels(append, { first: level, outcome: 'shell_exited' })
}

/** The events of a report: what an effect found. A report for something already closed changes nothing. */
export function record(
  state: SessionState,
  envelope: Envelope<Report>,
  catalogue: Catalogue,
): readonly Event[] {
  const append = openAppend(state, envelope)
  apply(append, envelope.body, catalogue)
  if (append.events.length > 0) advance(append, catalogue)
  return append.events
}

function apply(append: Append, report: Report, catalogue: Catalogue): void {
  switch (report.type) {
    case 'reply-ended':
      return recordReply(append, report)
    case 'reply-retried':
      return recordRetry(append, report)
    case 'judged':
      return recordJudged(append, report, catalogue)
    case 'shell-started':
      return recordShellStarted(append, report)
    case 'shell-failed':
      return recordShellFailed(append, report)
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

function recordCommand(append: Append, done: CommandDone): void {
  const open = openCall(append.state, done.call)
  if (open === undefined || !isCommand(open) || open.at.phase === 'asked') return
  const { status, content, images } = done
  // The model always reads the outcome of its own request.
  const inContext = done.inContext || !open.request.meta.isClientInitiated
  const shown = images && { images: [...images] }
  closeCall(append, open.request, { status, content, inContext, ...shown })
}

function compacted(append: Append, { turn, next }: Compacted): void {
  if (append.state.summary !== turn) return
  if (next.ok) append.add({ type: 'session_update', by: system, next: next.value })
  else append.add({ type: 'error', by: system, ...fault('compact_failed', next.error) })
}
