import type { ElicitationRequest } from '../protocol/events/ask.ts'
import type { ToolRequest } from '../protocol/events/call.ts'
import type { Dialect } from '../protocol/events/epoch.ts'
import type { By } from '../protocol/events/event-base.ts'
import type { InputQueued } from '../protocol/events/queue.ts'
import type { Rule } from '../protocol/events/rule.ts'
import type { RunStart } from '../protocol/events/run.ts'
import type { AskId, Head, Seq, SessionId } from '../protocol/events/seq.ts'
import type { ApprovalMode } from '../protocol/events/approval-mode.ts'
import type { OpenLevel, ShellName, ShellSetting, TakenShell } from '../protocol/events/shell.ts'
import type { Meter, TurnEnd, Usage, Witness } from '../protocol/events/turn.ts'
import { defaultSessionLimits, type SessionLimits } from '../protocol/limits.ts'

/** The phase of an open call. `unjudged` ones are the model's; a person's start out `allowed`. */
export type CallPhase =
  /** `edited`: what a person made of its command, if they did. */
  | { phase: 'unjudged'; edited: string | null }
  | { phase: 'asked'; ask: Seq }
  /** It may run only at this stamp; null for a person's own call, which may run anywhere. `cwd`: where it was judged. */
  | {
      phase: 'allowed'
      command: string
      stamp: number | null
      mark?: number | undefined
      cwd?: string | null
    }
  | { phase: 'running'; run: Seq }

export interface OpenCall {
  request: ToolRequest
  at: CallPhase
  /** The number of its runs that were not started because the shell had moved. */
  moved: number
  /** A person said yes to it; if that did not count, it waits for the terminal as its question did. */
  hadYes: boolean
  /** That yes, while it may still stand: the `elicitation_response`, and the question. */
  yes?: { seq: Seq; ask: ElicitationRequest }
}

export interface OpenStep {
  seq: Seq
  turn: Seq
  /** `asking`: the model's reply is outstanding. `calls`: it is in, and its calls are being done. */
  phase: 'asking' | 'calls'
  hasCalls: boolean
  usage: Usage
  /** The tokens of attempts that failed before its reply came. */
  retried?: Usage
  witness: Witness
  /** A yes for the rest of the reply: the `elicitation_response`, and the state of the shell that it was given in. */
  yes?: { seq: Seq; fingerprint: string }
}

export interface OpenTurn {
  seq: Seq
  purpose: 'compact' | null
  trigger: Seq
  steps: number
  usage: Usage
  /** US dollars so far; null once a reply had no price. */
  usd: number | null
}

export type Shell =
  | { phase: 'none'; generation: 0; cwd: null }
  | {
      phase: 'live'
      generation: number
      cwd: string
      pid: number
      /** The program that reads commands; a client that came later may not know it. */
      name?: ShellName
      /** The session it came from. */
      taken?: Pick<TakenShell, 'session' | 'generation'>
    }
  | {
      phase: 'gone'
      generation: number
      cwd: string
      /** It goes on in this session. */
      movedTo?: SessionId
    }

/** A record that belongs to a prompt. */
interface Attached {
  prompt: Seq
  seq: Seq
  /** The call that it answers; null for news that came later. */
  request: ToolRequest | null
  /** The run that goes on. */
  run: Seq | null
}

/** The fold of a log: settings, and what is open. Its size does not grow with the log. */
export interface SessionState {
  head: Head
  team: string
  workspace: string
  title: string | null
  approval: ApprovalMode
  /** Somebody is there to be asked. */
  isAttended: boolean
  private: boolean
  /** The person's choice; null leaves it to the server. */
  model: string | null
  limits: SessionLimits
  createdAt: number
  updatedAt: number
  epoch: { seq: Seq; model: string; adapter: string; dialect: Dialect } | null
  shell: Shell
  /**
   * Names where, and in what state, a command would run now; counts on with all that may have changed that: a
   * run that starts or ends in the terminal, a shell that starts, ends, moves, is adopted or left.
   */
  stamp: number
  turn: OpenTurn | null
  /**
   * The open step. It may outlive its turn: after an abort the cut reply or the stopped run still
   * has to be closed.
   */
  step: OpenStep | null
  calls: readonly OpenCall[]
  runs: readonly RunStart[]
  /** Shells that were adopted inside each other, the innermost last. */
  levels: readonly OpenLevel[]
  /** The offset of the last one's first mark in the byte log; -1 before the first. */
  lastAdopted: number
  /** The session's own shell became another program, which was adopted in its place. */
  isReplaced: boolean
  /** The last run ended without a word of the shell: it may have become another program. */
  isMute: boolean
  asks: readonly ElicitationRequest[]
  /** The last questions that were answered, and by whom. */
  answered: readonly { ask: AskId; by: By; outcome: string }[]
  /** Standing yes of this session's. */
  rules: readonly Rule[]
  /** Settings of this very shell that a person took as they are. */
  settings: readonly ShellSetting[]
  queue: readonly InputQueued[]
  /** Runs that went on after their call was answered as waiting: only input or a signal ends them. */
  waiting: readonly Seq[]
  /** Results that enter the conversation at the next step. */
  results: readonly { seq: Seq; index: number }[]
  records: readonly Seq[]
  /** The records that belong to a prompt, and go with it if it is withdrawn. */
  attached: readonly Attached[]
  /** Runs for a prompt that was taken back: what they still print is for nobody. */
  dropped: readonly Seq[]
  /** A result that a turn is wanted about (`!?cmd`). */
  wanted: Seq | null
  lastTurn: { end: Seq; reason: TurnEnd } | null
  /** The offset where the output of the last typed run starts; -1 before the first. */
  lastTyped: number
  /** A turn whose reply is the summary that a new session has yet to begin with. */
  summary: Seq | null
  hidden: Hidden
  meter: Meter
}

/** Places in the byte log that show what is private: never shown to the model, however it asks. */
export type Hidden = readonly { from: number; to: number }[]

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

export const initialState: SessionState = {
  head: 0,
  team: 'default',
  workspace: '/',
  title: null,
  approval: 'guarded',
  isAttended: true,
  private: false,
  model: null,
  limits: defaultSessionLimits,
  createdAt: 0,
  updatedAt: 0,
  epoch: null,
  shell: { phase: 'none', generation: 0, cwd: null },
  stamp: 0,
  turn: null,
  step: null,
  calls: [],
  runs: [],
  levels: [],
  lastAdopted: -1,
  isReplaced: false,
  isMute: false,
  asks: [],
  answered: [],
  rules: [],
  settings: [],
  queue: [],
  waiting: [],
  results: [],
  records: [],
  attached: [],
  dropped: [],
  wanted: null,
  lastTurn: null,
  lastTyped: -1,
  summary: null,
  hidden: [],
  meter: { context: null, size: null, price: null, spent: [] },
}

/** Bumped with every change to the fold: stored snapshots of another version are thrown away. */
export const foldVersion = 13
