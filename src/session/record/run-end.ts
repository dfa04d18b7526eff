import { assertNever } from '../../base/assert-never.ts'
import { clip, nothing, whole } from '../../base/text.ts'
import type { CallStatus } from '../../protocol/events/call.ts'
import type { Lane, RunOutcome, RunStart } from '../../protocol/events/run.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import { limits } from '../../protocol/limits.ts'
import { isStopped, openCall } from '../../log/open.ts'
import type { OpenCall, SessionState } from '../../log/state.ts'
import {
  answerCall,
  type Append,
  commandRecord,
  type NewEvent,
  system,
  typedRecord,
} from '../append.ts'
import type { RunEnded } from './report.ts'

export function recordRunEnded(append: Append, report: RunEnded): void {
  const before = append.state
  const run = before.runs.find((open) => open.seq === report.run)
  if (run === undefined) return
  const call = run.request === null ? undefined : openCall(before, run.request)
  const isNews = call === undefined && !before.dropped.includes(run.seq)
  const moved = movedTo(run, report)
  closeLevels(append, { first: levelIn(before, run.seq), outcome: 'shell_exited' })
  append.add(endOf(run, report, isNews ? laterRecord(run, report, moved) : null))
  if (call === undefined) return
  const isCancelled = isStopped(before, call)
  if (hasMoved(report) && !isCancelled && !call.request.meta.isClientInitiated)
    return afterMove(append, call)
  answerCall(append, call, {
    status: isCancelled ? 'cancelled' : callStatus(report.outcome, report.exitCode),
    line: statusLine(report, { isCancelled, moved, lane: run.lane }),
    output: report.output,
    command: run.command,
    isNotRun: report.outcome === 'not_started',
  })
}

function endOf(run: RunStart, report: RunEnded, content: string | null): NewEvent {
  return {
    type: 'run_end',
    by: system,
    run: run.run,
    start: run.seq,
    outcome: report.outcome,
    ...(hasMoved(report) && { moved: true }),
    exitCode: report.exitCode,
    signal: report.signal,
    durationMs: report.durationMs,
    bytes: report.bytes,
    omitted: report.omitted,
    cwdAfter: report.cwdAfter,
    ptyFrom: report.ptyFrom,
    ptyTo: report.ptyTo,
    content,
    ...(run.private && report.shown && { shown: report.shown }),
    ...(report.stdout && { stdout: report.stdout }),
    ...(report.stderr && { stderr: report.stderr }),
  }
}

/** No byte of it reached the shell, which was not where the command was judged any more. */
function hasMoved({ moved, outcome }: RunEnded): boolean {
  return moved === true && outcome === 'not_started'
}

/** It is judged anew where the shell is now; but not for ever, while something keeps changing that. */
function afterMove(append: Append, { request, moved }: OpenCall): void {
  const call = openCall(append.state, request.seq)
  if (call === undefined || moved + 1 < limits.movedRuns) return
  const line = `not run: the shell changed ${limits.movedRuns} times in a row just before it could start`
  answerCall(append, call, { status: 'error', line })
}

/** The shell's new folder, or null if it is the old one. */
function movedTo({ cwd }: RunStart, { cwdAfter }: RunEnded): string | null {
  return cwdAfter === cwd ? null : cwdAfter
}

/**
 * The record of a run whose call was answered while it went on: how it ended, and its last output. A
 * typed run gets one line.
 */
function laterRecord(run: RunStart, report: RunEnded, moved: string | null): string | null {
  if (run.private) return null
  // Beside the terminal it was stopped when its call was answered: only what it printed is news.
  if (run.lane === 'background' && (report.bytes === 0 || report.outcome === 'not_started'))
    return null
  const line = statusLine(report, { isCancelled: false, moved, lane: run.lane })
  if (run.source === 'typed') return typedRecord(run.command, line)
  const said = whole(clip(report.output, laterChars))
  return commandRecord(run.command, said, `it has ended since: ${line}`)
}

/** The model saw its beginning when the call was answered. */
const laterChars = 500

function callStatus(outcome: RunOutcome, exitCode: number | null): CallStatus {
  if (outcome === 'lost') return 'lost'
  return outcome === 'ended' && exitCode === 0 ? 'done' : 'error'
}

function statusLine(
  report: RunEnded,
  { isCancelled, moved, lane }: { isCancelled: boolean; moved: string | null; lane: Lane },
): string {
  const end = endWords(report, lane)
  const parts = [isCancelled ? `cancelled by the user, ${end}` : end]
  if (moved !== null) parts.push(`now in ${moved}`)
  return parts.join('; ')
}

function endWords({ outcome, exitCode, signal }: RunEnded, lane: Lane): string {
  switch (outcome) {
    case 'ended':
      if (exitCode === null) return signal === null ? 'no exit code' : `ended by ${signal}`
      return `exit ${exitCode}`
    case 'not_started':
      return 'not run'
    case 'shell_exited':
      return exitCode === null ? 'the shell ended' : `the shell ended with exit ${exitCode}`
    case 'lost':
      return `outcome unknown: the ${lane === 'terminal' ? 'shell' : 'server'} was lost while it ran`
    default:
      return assertNever(outcome)
  }
}

/** The level of the shell that runs in this run; one beyond the last if there is none. */
function levelIn({ levels }: SessionState, run: Seq): number {
  const at = levels.findIndex((level) => level.run === run)
  return at === -1 ? levels.length + 1 : at + 1
}

/** Shells from this level on are gone, the innermost first, and what ran in them with them. */
export function closeLevels(
  append: Append,
  { first, outcome }: { first: number; outcome: 'shell_exited' | 'lost' },
): void {
  for (let number = append.state.levels.length; number >= first; number -= 1) {
    const level = append.state.levels[number - 1]
    if (level === undefined) continue
    for (const run of append.state.runs)
      if (run.lane === 'terminal' && run.seq > level.seq)
        recordRunEnded(append, { ...unknownEnd, run: run.seq, outcome })
    const { seq: start, command, outerCwd: cwd } = level
    const reason = outcome === 'lost' ? 'lost' : 'exited'
    append.add({ type: 'shell_leave', by: system, start, level: number, command, reason, cwd })
  }
}

/** The end of a run that left no trace. */
export const noTrace = {
  exitCode: null,
  signal: null,
  durationMs: 0,
  bytes: 0,
  omitted: 0,
  cwdAfter: null,
  ptyFrom: null,
  ptyTo: null,
}

/** The end of a run whose shell is gone. */
export const unknownEnd: Omit<RunEnded, 'run' | 'outcome'> = {
  type: 'run-ended',
  ...noTrace,
  output: nothing,
}
