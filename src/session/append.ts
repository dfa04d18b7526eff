import { type Captured, clip, nothing, trimEndOf, utf8Bytes, whole } from '../base/text.ts'
import { deriveId } from '../base/derive-id.ts'
import type { StoredVerdict } from '../protocol/events/ask.ts'
import type { CallStatus, TerminalAct, ToolRequest, ToolResponse } from '../protocol/events/call.ts'
import type { By } from '../protocol/events/event-base.ts'
import type { Event } from '../protocol/events/event.ts'
import type { At, Seq } from '../protocol/events/seq.ts'
import type { Drive, Interrupt } from '../protocol/http/intent.ts'
import type { Refusal, RefusalCode } from '../protocol/http/refusal.ts'
import { limits } from '../protocol/limits.ts'
import { evolve } from '../log/evolve.ts'
import { commandOf } from '../log/open.ts'
import type { OpenCall, SessionState } from '../log/state.ts'
import { describeAct } from './calls/terminal-act.ts'

/** The envelope of an intent or a report: when, one random seed of ids, by whom. The core has no clock. */
export interface Envelope<Body> {
  at: At
  uuid: string
  by: By
  body: Body
  /** The end of the terminal's byte log. */
  ptyAt?: number
}

type Unstamped<E> = E extends Event ? Omit<E, 'v' | 'seq' | 'at' | 'by'> & { by?: By } : never
/** An event before it has its place and time; without an author it is by whom the envelope is. */
export type NewEvent = Unstamped<Event>

/** Orders to the live terminal, done at once. They leave no event. */
export interface LiveOrders {
  signal?: Interrupt['signal']
  /** The driver from now on. */
  driver?: Drive['driver']
  /** The run in the terminal has no limit of silence any more. */
  keep?: true
}

/** Collects the events of one append; each is folded at once, so that the next can refer to it. */
export interface Append {
  readonly state: SessionState
  readonly events: readonly Event[]
  readonly ptyAt: number
  add(event: NewEvent): Seq
  /** A fresh random id; several from one envelope cannot be told from each other. */
  id(): string
  readonly orders: LiveOrders
}

export const system: By = { kind: 'system' }

export function openAppend(start: SessionState, envelope: Envelope<unknown>): Append {
  const events: Event[] = []
  let state = start
  let ids = 0
  return {
    get state() {
      return state
    },
    events,
    ptyAt: envelope.ptyAt ?? 0,
    orders: {},
    add(event) {
      const seq = state.head + 1
      const stamped: Event = { v: 1, seq, at: envelope.at, by: envelope.by, ...event }
      events.push(stamped)
      state = evolve(state, stamped)
      return seq
    },
    id() {
      return deriveId(envelope.uuid, ids++)
    },
  }
}

export function refuse(code: RefusalCode, message: string, detail?: Refusal['detail']): Refusal {
  return detail === undefined ? { code, message } : { code, message, detail }
}

/** A command no shell could take as it is. */
export function badCommand(command: string): Refusal | null {
  if (command.includes('\0'))
    return refuse('bad_command', 'A command cannot contain a NUL character.')
  if (/\p{Cs}/u.test(command))
    return refuse('bad_command', 'A command cannot contain half a character.')
  if (utf8Bytes(command) > limits.commandBytes)
    return refuse('too_large', `A command can have at most ${limits.commandBytes} bytes.`)
  return null
}

export interface CallAnswer {
  status: CallStatus
  /** The status line: what became of it, in a few words. */
  line: string
  output?: Captured
  /** The command as it really ran, if a person edited it. */
  command?: string
  /** It has a run, but no shell ever saw it. */
  isNotRun?: boolean
  /** The policy denied it. */
  verdict?: StoredVerdict
}

/** Closes a call with the record the model will read, frozen from here on. */
export function answerCall(append: Append, call: OpenCall, answer: CallAnswer): void {
  const { request } = call
  const isPrivate = request.run?.private ?? false
  const hasRun = call.at.phase === 'running' && !answer.isNotRun
  const command = answer.command ?? commandOf(call) ?? request.args
  const how = request.read ? 'mentioned' : hasRun ? 'run' : 'asked for'
  const line = request.meta.isClientInitiated
    ? `${answer.line}${hasRun ? placeOf(request) : ''}; ${how} by the user`
    : `${answer.line}${editOf(request, command)}`
  const recordOf = () => {
    const output = answer.output ?? nothing
    // A file that was not read is told with the reason.
    if (request.read) return record(`@${oneLine(request.read.path, commandChars)}`, output, line)
    if (request.act) return record(actHeader(request.act), output, line)
    return commandRecord(command, output, line)
  }
  const content = isPrivate ? '' : recordOf()
  const { status, verdict } = answer
  closeCall(append, request, {
    status,
    content,
    inContext: !isPrivate,
    ...(verdict && { verdict }),
  })
}

/** A command beside the terminal has a folder of its own, which the terminal's does not tell. */
function placeOf({ run }: ToolRequest): string {
  if (run?.lane !== 'background' || run.cwd === undefined) return ''
  const repo = run.repo === undefined ? '' : ` (repo ${run.repo})`
  return `; in ${oneLine(run.cwd, placeChars)}${repo}`
}

/** The model reads the command that ran, and here the one that it wrote. */
function editOf({ run }: ToolRequest, command: string): string {
  if (run === undefined || run.command === command) return ''
  return `; the user changed the command, you asked for: ${oneLine(run.command, placeChars)}`
}

/** Closes a call with a text as it is. */
export function closeCall(
  append: Append,
  { meta, seq: request }: Pick<ToolRequest, 'meta' | 'seq'>,
  answer: Pick<ToolResponse, 'status' | 'content' | 'inContext' | 'images' | 'verdict'>,
): void {
  append.add({ type: 'tool_response', by: system, meta, request, ...answer })
}

/** A failure that the session survives. */
export function fault(code: string, message: string) {
  return { code, message, fatal: false, retryAfterMs: null }
}

/** A command longer than this says little more to a model that wrote it itself. */
export const commandChars = 600
const statusChars = 300
/** A folder, or a command that is only recalled, within such a line. */
const placeChars = 120

/**
 * The record of a command as the model reads it: `$ command`, output, one status line; at most
 * `limits.recordChars` in all. Rendered once, when the call is answered.
 */
export function commandRecord(command: string, output: Captured, status: string): string {
  return record(commandHeader(command), output, status)
}

/** The first line of such a record; several when the command has several. */
export function commandHeader(command: string): string {
  return `$ ${clip(whole(command), commandChars)}`
}

/** The same for an act in the terminal. */
export function actHeader(act: TerminalAct): string {
  return `> ${clip(whole(describeAct(act)), commandChars)}`
}

/** The record of a typed command, in one line: its output is the person's, and the model can look at it. */
export function typedRecord(command: string, status: string): string {
  const what =
    command === '' ? 'a command that is not in the history' : `$ ${oneLine(command, commandChars)}`
  return `[the user typed: ${what} → ${oneLine(status, statusChars)}]`
}

/** Line ends are shown as such, other control characters by their number. */
function oneLine(text: string, maxChars: number): string {
  const shown = text
    .replaceAll(/\r?\n/g, ' ⏎ ')
    .replaceAll(/[\0-\x1f\x7f-\x9f]/g, (control) => `\\x${hex(control.charCodeAt(0))}`)
  return clip(whole(shown), maxChars).replaceAll('\n', ' ')
}

const hex = (code: number) => code.toString(16).padStart(2, '0')

function record(header: string, output: Captured, status: string): string {
  const footer = `[${clip(whole(status), statusChars)}]`
  const text = clip(trimEnd(output), limits.recordChars - header.length - footer.length - 2)
  return text === '' ? `${header}\n${footer}` : `${header}\n${text}\n${footer}`
}

/** Line ends before the status line carry nothing. */
function trimEnd(output: Captured): Captured {
  if (output.tail !== '') return { ...output, tail: trimEndOf(output.tail, '\n') }
  return output.omittedChars === 0 ? { ...output, head: trimEndOf(output.head, '\n') } : output
}
