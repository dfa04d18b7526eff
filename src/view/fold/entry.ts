import type { ToolUpdate } from '../../protocol/stream/delta.ts'
import type { AskId, At, RunId, Seq, SessionId } from '../../protocol/events/seq.ts'
import type {
  AskOutcome,
  ElicitationRequest,
  ElicitationResponse,
} from '../../protocol/events/ask.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { By } from '../../protocol/events/event-base.ts'
import type { ToolResponse } from '../../protocol/events/call.ts'
import type { Stop } from '../../protocol/events/message.ts'
import type { Lane, RunEnd, RunSource } from '../../protocol/events/run.ts'
import type { ApprovalMode } from '../../protocol/events/approval-mode.ts'
import type { ShellAdopt, ShellExit, ShellName, ShellStart } from '../../protocol/events/shell.ts'
import type { TurnEnd } from '../../protocol/events/turn.ts'
import { limits } from '../../protocol/limits.ts'

type Fault = Extract<Event, { type: 'error' }>

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

/** The thoughts of a reply, as far as they are shown. */
export interface Thoughts {
  /** Often there are none to be read. */
  text: string
  /** How long they took; null while the model thinks, and where nobody measured it. */
  ms: number | null
}

export interface ReplyEntry extends Placed {
  kind: 'reply'
  /** Verbatim, `<shell>` tags included. */
  reply:
    | { phase: 'open'; live: Live; thinking?: { attempt: number; live: Live; ms: number | null } }
    | { phase: 'settled'; text: string; stop: Stop; thoughts?: Thoughts }
}

export interface Ask extends Pick<
  ElicitationRequest,
  | 'seq'
  | 'kind'
  | 'command'
  | 'effective'
  | 'reasons'
  | 'causes'
  | 'grade'
  | 'offer'
  | 'settings'
  | 'cwd'
> {
  id: AskId
  /** The call that waits for the answer. */
  call: Seq
  /** The commands of the same reply that wait behind it, in their order. */
  rest: readonly string[]
  /** It was asked before, and the shell has changed since. */
  isAgain?: true
  /** `moved`: a yes that does not count, since the shell has changed after the command was judged. */
  state:
    | { phase: 'open' }
    | {
        phase: 'answered'
        outcome: AskOutcome
        by: By
        word: string | null
        /** The yes counts for more than this command. */
        scope: Exclude<ElicitationResponse['scope'], undefined> | null
        moved?: true
      }
}

/** The tag that a call came from: the how-manieth, from 0, of which reply. */
export interface FromTag {
  reply: Seq
  index: number
}

/** The answer to a call: the record as the model reads it. */
export type CallAnswer = Pick<ToolResponse, 'status' | 'content'>

export interface RunResult extends Pick<
  RunEnd,
  'outcome' | 'exitCode' | 'signal' | 'durationMs' | 'bytes' | 'omitted' | 'cwdAfter'
> {
  startedAt: At
}

type RunPhase =
  | { phase: 'pending' }
  | {
      phase: 'running'
      run: RunId
      startedAt: At
      live: Live
      /** Its special state; null while it just runs. */
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
  /** `notice`: why it is not where it should be. */
  | ({ type: 'shell_started' } & Pick<
      ShellStart,
      'shell' | 'generation' | 'cwd' | 'integration' | 'notice'
    >)
  /** The shell of another session goes on here. */
  | { type: 'shell_taken'; shell: ShellName; cwd: string; from: SessionId }
  /** `movedTo` is the session it goes on in. */
  | ({ type: 'shell_ended'; movedTo: SessionId | null } & Pick<ShellExit, 'reason' | 'exitCode'>)
  /** A shell inside the session's own takes the commands now; `command` is what it runs in. */
  | ({ type: 'shell_adopted' } & Pick<ShellAdopt, 'shell' | 'place' | 'cwd' | 'command'>)
  | { type: 'shell_left'; command: string; cwd: string }
  | { type: 'model'; model: string }
  | { type: 'approval'; mode: ApprovalMode }
  | { type: 'private'; on: boolean }
  | { type: 'continued'; session: SessionId }
  | { type: 'facts'; text: string }
  | { type: 'turn_ended'; reason: Exclude<TurnEnd, 'done'>; steps: number }
  | ({ type: 'fault' } & Pick<Fault, 'code' | 'message' | 'fatal' | 'retryAfterMs'>)

export interface NoticeEntry extends Placed {
  kind: 'notice'
  notice: Notice
}

/** One item of the chat list. */
export type Entry = PromptEntry | ReplyEntry | RunEntry | CallEntry | AskEntry | NoticeEntry

/** Text that is still growing: `text` begins at `from`, so that a flood keeps only its tail. */
interface Live {
  from: number
  text: string
}

export const noText: Live = { from: 0, text: '' }

/**
 * Text we have already is ignored, so a repeated fragment changes nothing. So is text beyond a gap:
 * the closing event has the whole value, and a client that joins again gets it from the start.
 */
export function extend(live: Live, offset: number, text: string): Live {
  const end = live.from + live.text.length
  if (offset > end || offset + text.length <= end) return live
  return { from: live.from, text: live.text + text.slice(end - offset) }
}

/**
 * For output that may never end and that no event brings whole: after a gap it goes on with what is
 * new, and the oldest goes when there is twice what is shown.
 */
export function extendTail(live: Live, offset: number, text: string): Live {
  const isGap = offset > live.from + live.text.length
  const longer = isGap ? { from: offset, text } : extend(live, offset, text)
  const excess = longer.text.length - limits.shownBytes
  if (excess <= limits.shownBytes) return longer
  return { from: longer.from + excess, text: longer.text.slice(excess) }
}
