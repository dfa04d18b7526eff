import type { ImageRef, ReplyPart, Stop } from '../protocol/message.ts'
import type { RunOutcome, StreamRef } from '../protocol/run.ts'
import type { Result } from '../protocol/result.ts'
import type { Seq, SessionId } from '../protocol/seq.ts'
import type { Integration, ShellName } from '../protocol/shell.ts'
import type { Usage, Witness } from '../protocol/turn.ts'
import type { Captured } from './clip.ts'
import type { Verdict } from './policy/verdict.ts'

/** A model's reply is over, one way or another. */
export interface ReplyEnded {
  type: 'reply-ended'
  step: Seq
  parts: readonly ReplyPart[]
  stop: Stop
  usage: Usage
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
  /** The shell's last mark then; none where nobody heard one. */
  mark?: number | undefined
}

export interface ShellStarted {
  type: 'shell-started'
  generation: number
  shell: ShellName
  pid: number
  cwd: string
  integration: Integration
  /** What people should know of where it started. */
  notice?: string
  ptyFrom?: number
}

export interface ShellFailed {
  type: 'shell-failed'
  generation: number
  message: string
}

export interface ShellEnded {
  type: 'shell-ended'
  generation: number
  reason: 'exited' | 'killed' | 'restarted' | 'lost' | 'closed'
  exitCode: number | null
  signal: string | null
}

/** A shell that runs inside the session's own speaks to us: commands run there from now on. */
export interface ShellAdopted {
  type: 'shell-adopted'
  generation: number
  /** 1 inside the session's own shell, 2 inside that; 0: the session's own was replaced by another program. */
  level: number
  shell: ShellName
  pid: number
  cwd: string
  /** Whose it is and on which machine, as it says. */
  place: string
  /** Where it spoke first, in the byte log: that tells one adoption from the next. */
  ptyAt: number
}

/** It has ended, and commands run around it again. */
export interface ShellLeft {
  type: 'shell-left'
  generation: number
  level: number
  ptyAt: number
}

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
  /** All of the byte log that shows its command or its output; null: up to the next one's output. */
  shown?: { from: number; to: number | null }
  /** In the background lane. */
  stdout?: StreamRef
  stderr?: StreamRef
  output: Captured
}

/** A person typed a command at the prompt, and it runs. Known by where its output starts. */
export interface TypedStarted {
  type: 'typed-started'
  generation: number
  /** Empty when the shell does not tell it: its history leaves it out. */
  command: string
  ptyFrom: number
}

export interface TypedEnded
  extends
    Omit<TypedStarted, 'type'>,
    Pick<RunEnded, 'exitCode' | 'durationMs' | 'bytes' | 'omitted' | 'cwdAfter' | 'ptyTo'> {
  type: 'typed-ended'
}

/** The shell was found at its prompt: what a person typed earlier is over. */
export interface TypedOver {
  type: 'typed-over'
  generation: number
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
  /** What the model gets to see: the output so far, or the screen of a program that took it. */
  output: Captured
}

/** It was done, or not; for input, what the program did about it until it needed somebody again. */
export interface ActDone {
  type: 'act-done'
  call: Seq
  /** Why it was not sent; null if it was. */
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

/** What came of a command of a person’s that only the edge can do. */
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

/** What doing an effect found. A report for something already closed changes nothing. */
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
