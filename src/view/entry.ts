import type { ToolUpdate } from '../protocol/delta.ts'
import type { AskId, At, RunId, Seq, SessionId } from '../protocol/seq.ts'
import type { AskKind, AskOutcome } from '../protocol/ask.ts'
import type { By } from '../protocol/by.ts'
import type { CallStatus } from '../protocol/call.ts'
import type { Stop } from '../protocol/message.ts'
import type { Lane, RunOutcome, RunSource } from '../protocol/run.ts'
import type { ApprovalMode } from '../protocol/session.ts'
import type { Integration, ShellExit, ShellName } from '../protocol/shell.ts'
import type { TurnEnd } from '../protocol/turn.ts'
import type { Live } from './live.ts'

/** `seq` is the event that introduced the entry: its id, and its place for ever. */
interface Placed {
  seq: Seq
  at: At
  by: By
}

export interface PromptEntry extends Placed {
  kind: 'prompt'
  text: string
  state: 'sent' | 'queued' | 'withdrawn'
}

export interface ReplyEntry extends Placed {
  kind: 'reply'
  /** Verbatim, `<shell>` tags included. */
  reply: { phase: 'open'; live: Live } | { phase: 'settled'; text: string; stop: Stop }
}

export interface Ask {
  seq: Seq
  id: AskId
  kind: AskKind
  /** The call that waits for the answer. */
  call: Seq
  command: string
  effective: string
  reasons: readonly string[]
  cwd: string | null
  /** It was asked before, and the shell has changed since. */
  isAgain?: true
  state: { phase: 'open' } | AnsweredAsk
}

export interface AnsweredAsk {
  phase: 'answered'
  outcome: AskOutcome
  by: By
  word: string | null
  /** A yes that does not count: the shell has changed since the command was judged. */
  moved?: true
}

/** The tag that a call came from: the how-manieth, from 0, of which reply. */
export interface FromTag {
  reply: Seq
  index: number
}

/** What a call was answered with: the record as the model reads it. */
export interface CallAnswer {
  status: CallStatus
  content: string
}

export interface RunResult {
  startedAt: At
  outcome: RunOutcome
  exitCode: number | null
  signal: string | null
  durationMs: number
  bytes: number
  omitted: number
  cwdAfter: string | null
}

export type RunPhase =
  | { phase: 'pending' }
  | {
      phase: 'running'
      run: RunId
      startedAt: At
      live: Live
      /** What it needs or gets besides time; null while it just runs. */
      note: Exclude<ToolUpdate['status'], 'running' | undefined> | null
    }
  /** Without a run and a result it was answered before anything reached a shell. */
  | { phase: 'settled'; run: RunId | null; result: RunResult | null }

export interface RunEntry extends Placed {
  kind: 'run'
  command: string
  source: RunSource
  lane: Lane
  private: boolean
  cwd: string | null
  repo: string | null
  tag: FromTag | null
  state: RunPhase
  /** A call may be answered before its run ends: it waits for input, or its time was up. */
  answer: CallAnswer | null
  ask: Ask | null
}

/** A call that puts no command into a shell: a file read, a skill, a look at the terminal. */
export interface CallEntry extends Placed {
  kind: 'call'
  name: string
  args: string
  tag: FromTag | null
  answer: CallAnswer | null
  ask: Ask | null
}

/** A question that belongs to no entry of its own. */
export interface AskEntry extends Placed {
  kind: 'ask'
  ask: Ask
}

export type Notice =
  | {
      type: 'shell_started'
      shell: ShellName
      generation: number
      cwd: string
      integration: Integration
      /** Why it is not where it should be. */
      notice?: string
    }
  /** The shell of another session goes on here. */
  | { type: 'shell_taken'; shell: ShellName; cwd: string; from: SessionId }
  | {
      type: 'shell_ended'
      reason: ShellExit['reason']
      exitCode: number | null
      /** Where it goes on. */
      movedTo: SessionId | null
    }
  /** A shell inside the session's own takes the commands now; `command` is what it runs in. */
  | { type: 'shell_adopted'; shell: ShellName; place: string; cwd: string; command: string }
  | { type: 'shell_left'; command: string; cwd: string }
  | { type: 'model'; model: string }
  | { type: 'approval'; mode: ApprovalMode }
  | { type: 'private'; on: boolean }
  | { type: 'continued'; session: SessionId }
  | { type: 'facts'; text: string }
  | { type: 'turn_ended'; reason: Exclude<TurnEnd, 'done'>; steps: number }
  | {
      type: 'fault'
      code: string
      message: string
      fatal: boolean
      retryAfterMs: number | null
    }

export interface NoticeEntry extends Placed {
  kind: 'notice'
  notice: Notice
}

/** One item of the chat list. */
export type Entry = PromptEntry | ReplyEntry | RunEntry | CallEntry | AskEntry | NoticeEntry
