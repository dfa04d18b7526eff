import type { ToolRequest, ToolResponse } from '../../protocol/events/call.ts'
import type { Event } from '../../protocol/events/event.ts'
import { type Message, textOf, thoughtsOf } from '../../protocol/events/message.ts'
import type { RunEnd, RunRequest, RunSource, RunStart } from '../../protocol/events/run.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import { limits } from '../../protocol/limits.ts'
import type { RunOutput } from '../../protocol/http/session-view.ts'
import type { Page } from '../pages/output-pages.ts'

interface Place {
  seq: Seq
  at: number
}

export interface Said extends Place {
  type: 'said'
  role: 'user' | 'assistant'
  text: string
  /** The thoughts before it, if they can be read. */
  thoughts?: { text: string; ms: number | null }
}

/** Something asked for that is no command line: a session's own command, a skill, a file. */
export interface Called extends Place {
  type: 'called'
  request: ToolRequest
  answer: ToolResponse | null
}

/** A command line, run or not. It stands where it was asked for, or where it was typed. */
export interface Ran extends Place {
  type: 'ran'
  command: string
  source: RunSource
  private: boolean
  repo: string | null
  cwd: string | null
  answer: ToolResponse | null
  start: RunStart | null
  end: RunEnd | null
}

export type Item = Said | Called | Ran

/** A session as a person would tell it, in its order. */
export function itemsOf(log: readonly Event[]): readonly Item[] {
  const items: Item[] = []
  const calls = new Map<Seq, Called | Ran>()
  const runs = new Map<Seq, Ran>()
  const withdrawn = new Set<Seq>()

  function requested(request: ToolRequest): void {
    const { seq, at, run } = request
    const call: Called | Ran = run
      ? ranAt({ seq, at }, run)
      : { type: 'called', seq, at, request, answer: null }
    items.push(call)
    calls.set(seq, call)
  }

  function started(start: RunStart): void {
    const known = start.request === null ? undefined : calls.get(start.request)
    const ran = known?.type === 'ran' ? known : ranAt(start, start)
    if (ran !== known) items.push(ran)
    // An approval may have changed the command.
    const { command, cwd } = start
    Object.assign(ran, { start, end: null, command, cwd: cwd ?? ran.cwd } satisfies Partial<Ran>)
    runs.set(start.seq, ran)
  }

  for (const event of log) {
    const said = saidIn(event)
    if (said !== null) items.push(said)
    if (event.type === 'input_withdrawn') withdrawn.add(event.queued)
    if (event.type === 'tool_request') requested(event)
    if (event.type === 'tool_response') set(calls.get(event.request), { answer: event })
    if (event.type === 'run_start') started(event)
    if (event.type === 'run_end') set(runs.get(event.start), { end: event })
  }
  // A prompt that was taken back before the model read it was not said.
  return items.filter(({ seq }) => !withdrawn.has(seq))
}

type Asked = Pick<RunRequest, 'command' | 'source' | 'private' | 'repo'> & {
  cwd?: string | null | undefined
}

function ranAt({ seq, at }: Place, asked: Asked): Ran {
  const { command, source, private: isPrivate, repo = null, cwd = null } = asked
  const place = { type: 'ran', seq, at, command, source, private: isPrivate, repo, cwd } as const
  return { ...place, answer: null, start: null, end: null }
}

function set<T extends object>(item: T | undefined, change: Partial<T>): void {
  if (item !== undefined) Object.assign(item, change)
}

/** An export of a damaged log has events of this code where others cannot be read. */
export const damagedCode = 'log_damaged'

function saidIn(event: Event): Said | null {
  const { seq, at } = event
  if (event.type === 'error' && event.code === damagedCode)
    return { type: 'said', seq, at, role: 'assistant', text: `[${event.message}]` }
  if (event.type === 'input_queued')
    return { type: 'said', seq, at, role: 'user', text: event.text }
  if (event.type !== 'message' || event.synthetic) return null
  const text = textOf(event.parts)
  return { type: 'said', seq, at, role: event.role, text, ...readThoughts(event) }
}

/** Thoughts without a word are for their provider alone. */
export function readThoughts(event: Message): Pick<Said, 'thoughts'> {
  if (event.role === 'user') return {}
  const text = thoughtsOf(event.parts)
  return text === '' ? {} : { thoughts: { text, ms: event.thoughtMs ?? null } }
}

/** As Delegate has it: what waits is running, and whatever did not end well is an error. */
export function statusOf({ answer, start, end }: Ran): 'running' | 'done' | 'error' {
  if (end !== null) {
    const isWell = end.outcome === 'ended' && end.signal === null && (end.exitCode ?? 0) === 0
    return isWell ? 'done' : 'error'
  }
  return answer === null || start !== null ? 'running' : 'error'
}

/** A title of its own, else the folder it works in. */
export function titleOf(log: readonly Event[]): string {
  const [start] = log
  const first = start?.type === 'session_start' ? (start.title ?? start.workspace) : 'Session'
  const named = log.findLast(
    (event) => event.type === 'session_update' && event.title !== undefined,
  )
  return (named?.type === 'session_update' ? named.title : undefined) ?? first
}

/** A run's output, escape sequences and all. */
export interface RunTexts {
  /** Output in the shared terminal, which joins both streams. */
  output?: string
  stdout?: string
  stderr?: string
  /** Bytes that are not in it: too many for a document, or no longer kept. */
  omitted: number
}

type ReadOutput = (run: string, page: Page) => Promise<RunOutput | null>

/** All outputs of a document together: more is no document any more but an archive. */
const documentBytes = 32 * 1024 * 1024

/** Reads the outputs of a session's runs one after another, until a document is full. */
export function createRunTexts(read: ReadOutput): (ran: Ran) => Promise<RunTexts> {
  let room = documentBytes

  async function part(run: string, { from, to }: { from: number; to: number }): Promise<Stretch> {
    const total = to - from
    const taken = Math.min(total, limits.shownBytes, room)
    room -= taken
    // A long one keeps its beginning and its end, as records do.
    const half = taken < total ? Math.floor(taken / 2) : 0
    const first = await stretch(read, run, { from, limit: taken - half })
    if (taken === total) return first
    const last = await stretch(read, run, { from: to - half, limit: half })
    const omitted = first.omitted + (total - taken) + last.omitted
    return { text: `${first.text}\n[… ${omitted} bytes …]\n${last.text}`, omitted }
  }

  return async ({ start, end, private: isPrivate }) => {
    if (start === null || end === null || isPrivate) return { omitted: 0 }
    const { run } = start
    const { stdout: first, ptyFrom, ptyTo } = end
    if (first === undefined) {
      const { text, omitted } = await part(run, { from: 0, to: (ptyTo ?? 0) - (ptyFrom ?? 0) })
      return { output: text, omitted }
    }
    const stdout = await part(run, { from: 0, to: first.bytes })
    const stderr = await part(run, { from: first.bytes, to: end.bytes })
    return { stdout: stdout.text, stderr: stderr.text, omitted: stdout.omitted + stderr.omitted }
  }
}

interface Stretch {
  text: string
  omitted: number
}

async function stretch(read: ReadOutput, run: string, page: Page): Promise<Stretch> {
  if (page.limit <= 0) return { text: '', omitted: 0 }
  const found = await read(run, page)
  return found === null
    ? { text: '', omitted: page.limit }
    : { text: found.text, omitted: found.missing }
}
