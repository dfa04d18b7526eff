import type { Result } from '../../base/result.ts'
import type { Captured } from '../../base/text.ts'
import type { ImageRef, ReplyPart, Stop } from '../../protocol/events/message.ts'
import type { RunOutcome, StreamRef } from '../../protocol/events/run.ts'
import type { Seq, SessionId } from '../../protocol/events/seq.ts'
import type { ShellReport, ShellStart } from '../../protocol/events/shell.ts'
import type { Usage, Witness } from '../../protocol/events/turn.ts'
import type { Verdict } from '../policy/verdict.ts'

/** A model's reply is over, one way or another. */
export interface ReplyEnded {
  type: 'reply-ended'
  step: Seq
  parts: readonly ReplyPart[]
  stop: Stop
  usage: Usage
  /** The tokens of attempts that failed before it. */
  retried?: Usage | undefined
  thoughtMs?: number | undefined
  witness: Witness
  error?: ReplyError | undefined
}

export interface ReplyError {
  code: string
  message: string
  fatal: boolean
  retryAfterMs: number | null
}

/** The provider could not answer yet; the same request is sent again in a moment. */
export interface ReplyRetried {
  type: 'reply-retried'
  step: Seq
  error: ReplyError
}

/** The policy looked at a call; bound to the stamp it saw. */
export interface Judged {
  type: 'judged'
  call: Seq
  verdict: Verdict
  cwd: string | null
  stamp: number
  /** The mode and the rules that it was judged by: `termsOf`. */
  terms: string
  /** The shell's last mark then; none where nobody heard one. */
  mark?: number | undefined
  /** Names the state of the shell that it was judged in; none where nobody could say. */
  fingerprint?: string | undefined
}

export type ShellStarted = { type: 'shell-started' } & Pick<
  ShellStart,
  'generation' | 'shell' | 'pid' | 'cwd' | 'integration' | 'notice' | 'ptyFrom'
>

export interface ShellFailed {
  type: 'shell-failed'
  generation: number
  message: string
}

/** The report of a shell that is the session's own, by its generation. */
type OfShell<Type extends ShellReport['type']> = Extract<ShellReport, { type: Type }> & {
  generation: number
}

export type ShellEnded = OfShell<'shell-ended'>
export type ShellAdopted = OfShell<'shell-adopted'>
export type ShellLeft = OfShell<'shell-left'>
export type TypedStarted = OfShell<'typed-started'>
export type TypedEnded = Omit<OfShell<'typed-ended'>, 'seq' | 'level'> & Pick<RunEnded, 'omitted'>
export type TypedOver = OfShell<'typed-over'>

export interface RunEnded {
  type: 'run-ended'
  /** The `run_start`. */
  run: Seq
  outcome: RunOutcome
  /** With `not_started`: the shell was not where a model's command was judged any more. */
  moved?: true
  exitCode: number | null
  signal: string | null
  durationMs: number
  bytes: number
  omitted: number
  cwdAfter: string | null
  ptyFrom: number | null
  ptyTo: number | null
  /** The part of the byte log that shows its command or its output; null: up to the next one's output. */
  shown?: { from: number; to: number | null }
  /** Set in the background lane only. */
  stdout?: StreamRef
  stderr?: StreamRef
  output: Captured
}

/** The run's time is up: its call is answered now, the run is being stopped. */
export interface RunTimedOut {
  type: 'run-timed-out'
  run: Seq
  afterMs: number
  output: Captured
}

/** The program reads a line, reads a secret, or has taken the screen; it does not end by itself. */
export interface RunWaits {
  type: 'run-waits'
  run: Seq
  state: 'waiting' | 'secret' | 'screen'
  /** The output so far as the model sees it, or the screen of a program that took it. */
  output: Captured
}

/** The outcome of an act; for input, what the program did until it needed somebody again. */
export interface ActDone {
  type: 'act-done'
  call: Seq
  /** The reason why it was not sent; null if it was. */
  refused: string | null
  state: 'ended' | 'running' | 'waiting' | 'secret' | 'screen' | 'looked'
  output: Captured
}

/** A model's call has waited long enough for a terminal that another program keeps. */
export interface TerminalBusy {
  type: 'terminal-busy'
  call: Seq
  /** The run that keeps it. */
  run: Seq
}

/** The outcome of a person’s command that only the edge can do. */
export interface CommandDone {
  type: 'command-done'
  call: Seq
  status: 'done' | 'error'
  content: string
  /** Whether the model gets to read it. */
  inContext: boolean
  images?: readonly ImageRef[]
}

/** The session that goes on from a summary of this one, or why there is none. */
export interface Compacted {
  type: 'compacted'
  turn: Seq
  next: Result<SessionId, string>
}

/** A server took the session over from a dead one; this is the reply it had received so far. */
export interface Recovered {
  type: 'recovered'
  draft: { step: Seq; text: string } | null
}

/** The finding of an effect. A report for something already closed changes nothing. */
export type Report =
  | ReplyEnded
  | ReplyRetried
  | Judged
  | ShellStarted
  | ShellFailed
  | ShellEnded
  | ShellAdopted
  | ShellLeft
  | RunEnded
  | TypedStarted
  | TypedEnded
  | TypedOver
  | RunTimedOut
  | RunWaits
  | TerminalBusy
  | ActDone
  | CommandDone
  | Compacted
  | Recovered
