import type { Dialect } from '../../protocol/events/epoch.ts'
import { type ReplyPart, textOf } from '../../protocol/events/message.ts'
import { limits } from '../../protocol/limits.ts'
import { noUsage } from '../../log/state.ts'
import { commandHeader, actHeader, type NewEvent } from '../append.ts'
import { type Asked, shellTags } from '../calls/asked.ts'
import { userMessage } from '../turn.ts'

/** A message of a history that somebody else keeps. */
export interface SuppliedMessage {
  role: 'user' | 'assistant' | 'tool' | 'system'
  content: string
  /** A reply that is more than its text, as it was told. */
  reply?: SuppliedReply | undefined
  /** The native call that a result answers. */
  call?: string | undefined
  /** The content of a `tool` message is the whole record. */
  record?: true | undefined
}

interface SuppliedReply {
  model: string
  adapter: string
  parts: ReplyPart[]
}

/** The first line of the facts: a history that has it needs no others. */
export const factsHead = '[about this session, as it began]'

export interface SuppliedHistory {
  /** As the model was told them when the history began; null: it has none. */
  facts: string | null
  messages: readonly NewEvent[]
}

/**
 * A history as events: the model reads the same bytes as when it was made, whether the caller kept the messages that it
 * was told, or put together replies and results itself. Nothing in it is ever run.
 */
export function suppliedHistory(
  messages: readonly SuppliedMessage[],
  dialect: Dialect,
): SuppliedHistory {
  const facts = messages.find(isFacts)
  const events: NewEvent[] = []
  for (const { said, results } of rounds(messages.filter((message) => message !== facts))) {
    const reply = said?.role === 'assistant' ? replyOf(said, results, dialect) : null
    if (reply) {
      // A blank reply keeps its place between two prompts.
      if (reply.parts.length > 0 || events.at(-1)?.type === 'message') events.push(reply)
    } else if (said && said.content.trim() !== '') events.push(given(said))
    events.push(...answersOf(reply, results))
  }
  return { facts: facts?.content ?? null, messages: events }
}

function isFacts({ role, content }: SuppliedMessage): boolean {
  return role === 'system' && content.startsWith(factsHead)
}

interface Round {
  said: SuppliedMessage | null
  /** The `tool` messages right behind it. */
  results: SuppliedMessage[]
}

function rounds(messages: readonly SuppliedMessage[]): readonly Round[] {
  const all: Round[] = [{ said: null, results: [] }]
  for (const message of messages)
    if (message.role === 'tool') all.at(-1)?.results.push(message)
    else all.push({ said: message, results: [] })
  return all
}

function given({ role, content }: SuppliedMessage): NewEvent {
  return { ...userMessage(content), synthetic: role !== 'user' }
}

type ReplyEvent = Extract<NewEvent, { role: 'assistant' }>

function replyOf(
  { content, reply }: SuppliedMessage,
  results: readonly SuppliedMessage[],
  dialect: Dialect,
): ReplyEvent {
  const isKnown =
    reply !== undefined &&
    textOf(reply.parts) === content &&
    (dialect === 'tags' || isAnswered(reply, results))
  const known = isKnown ? reply : null
  const blank = content.trim() === ''
  const parts = known?.parts ?? (blank ? [] : [{ type: 'text' as const, text: content }])
  return {
    type: 'message',
    role: 'assistant',
    parts,
    inContext: true,
    step: null,
    stop: 'done',
    usage: noUsage,
    witness: { prefixBytes: 0, ok: true },
    synthetic: true,
    ...(known && { origin: { model: known.model, adapter: known.adapter } }),
  }
}

/** A provider refuses a call that is not answered exactly once. */
function isAnswered({ parts }: SuppliedReply, results: readonly SuppliedMessage[]): boolean {
  const calls = callsIn(parts)
  return (
    new Set(calls).size === calls.length &&
    calls.every((id) => results.filter(({ call }) => call === id).length === 1)
  )
}

function callsIn(parts: readonly ReplyPart[]): readonly string[] {
  return parts.flatMap((part) => (part.type === 'call' ? [part.id] : []))
}

/** The results of a reply as records; answers to native calls go first. */
function answersOf(
  reply: ReplyEvent | null,
  results: readonly SuppliedMessage[],
): readonly NewEvent[] {
  const parts = reply?.parts ?? []
  const calls = callsIn(parts)
  const isAnswer = ({ call }: SuppliedMessage) => call !== undefined && calls.includes(call)
  const answers = results.filter(isAnswer).map(({ content, call }) => ({
    ...record(content),
    ...(call !== undefined && { answers: call }),
  }))
  const asked = calls.length === 0 ? shellTags(textOf(parts)).slice(0, limits.callsPerReply) : []
  const rest = results.filter((result) => !isAnswer(result))
  return [...answers, ...recordsOf(rest, asked.map(headerOf)).map(record)]
}

const record = (text: string) => ({ ...userMessage(text), synthetic: true })

function headerOf(asked: Asked): string {
  if (asked.kind === 'act') return actHeader(asked.act)
  if (asked.kind === 'command') return commandHeader(asked.command)
  return commandHeader(asked.kind === 'skill' ? asked.name : asked.text)
}

/** The records of a reply’s tags, from whole ones, single results, or several behind each other with their commands. */
function recordsOf(
  results: readonly SuppliedMessage[],
  headers: readonly string[],
): readonly string[] {
  const [result, ...rest] = results
  if (result === undefined) return []
  const { content } = result
  const [header] = headers
  if (header === undefined)
    return [...(content.trim() === '' ? [] : [content]), ...recordsOf(rest, headers)]
  if (result.record) return [content, ...recordsOf(rest, headers.slice(1))]
  const pieces = split(content, headers)
  const records = pieces.map((piece, index) => wholeRecord(piece, headers[index] ?? header))
  return [...records, ...recordsOf(rest, headers.slice(pieces.length))]
}

/** `$ a`, its result, a blank line, `$ b` and so on, as the seed’s own code joins them. */
function split(content: string, [header = '', ...next]: readonly string[]): readonly string[] {
  const [following] = next
  const at = following === undefined ? -1 : content.indexOf(`\n\n${following}\n`)
  if (bodyOf(content, header) === null || at === -1) return [content]
  return [content.slice(0, at), ...split(content.slice(at + 2), next)]
}

const plainEnd = '[exit 0]'

/** The result of a record for people: without the command, and without a status line that says nothing. */
export function bareResult(record: string, header: string): string {
  const body = bodyOf(record, header)
  if (body === null) return record
  const bare = body === plainEnd ? '' : body.endsWith(`\n${plainEnd}`) ? body.slice(0, -9) : body
  return [bare, body].find((result) => wholeRecord(result, header) === record) ?? record
}

/** The record that a bare result, or one with its command, was made of. */
export function wholeRecord(content: string, header: string): string {
  const body = bodyOf(content, header) ?? content
  if (/(?:^|\n)\[[^\n]*\]$/.test(body)) return `${header}\n${body}`
  return body === '' ? `${header}\n${plainEnd}` : `${header}\n${body}\n${plainEnd}`
}

/** The text below the command; null where that does not stand above it. */
function bodyOf(content: string, header: string): string | null {
  if (content === header) return ''
  return content.startsWith(`${header}\n`) ? content.slice(header.length + 1) : null
}
