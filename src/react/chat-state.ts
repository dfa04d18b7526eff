import type { Ask, CallEntry, Entry, RunEntry } from '../view/fold/entry.ts'
import type { ChatAsk, Message, ChatState } from './chat-types.ts'
import type { Link, Snapshot } from '../client/session/feed.ts'
import { eachEntry } from '../view/fold/entry-list.ts'
import { isQuiet, statusOf } from '../view/status.ts'
import type { View } from '../view/fold/view.ts'

type Told = Pick<Message, 'role' | 'content'>

/** Null for what is no message: a question, a notice, a prompt that was taken back. */
function messageOf(session: string, entry: Entry): Message | null {
  const told = tell(entry)
  if (told === null) return null
  return { id: `${session}/${entry.seq}`, ...told, timestamp: new Date(entry.at) }
}

function tell(entry: Entry): Told | null {
  switch (entry.kind) {
    case 'prompt':
      return entry.state === 'withdrawn' ? null : { role: 'user', content: entry.text }
    case 'reply': {
      const { reply } = entry
      return {
        role: 'assistant',
        content: reply.phase === 'open' ? reply.live.text : reply.text,
      }
    }
    case 'run':
      return { role: 'tool', content: contentOfRun(entry) }
    case 'call':
      return { role: 'tool', content: contentOfCall(entry) }
    case 'ask':
    case 'notice':
      return null
  }
}

/** The record that the model reads has the command in it; until then it is made to look the same. */
function contentOfRun({ command, answer, state }: RunEntry): string {
  if (answer !== null) return answer.content
  return `$ ${command}\n${state.phase === 'running' ? state.live.text : ''}`
}

function contentOfCall({ name, args, answer }: CallEntry): string {
  return answer === null ? `${name} ${args}` : answer.content
}

export interface Beside {
  session: string | null
  /** Something is on its way that the feed has not shown yet. */
  isSending: boolean
  failure: Error | null
}

export const noChat: ChatState = {
  session: null,
  messages: [],
  status: 'ready',
  error: null,
  asks: [],
  hasOlder: false,
}

/** An entry is an immutable value, so the message that was made of it stays the same object. */
const made = new WeakMap<Entry, Message | null>()

/** Without a snapshot nobody listens, or there is nothing to listen to yet. */
export function chatStateOf(snapshot: Snapshot | null, beside: Beside): ChatState {
  const { session, isSending, failure } = beside
  if (session === null || snapshot === null) return unheard(beside)
  const { view, link, older } = snapshot
  const error = failure ?? brokenLink(link) ?? faultOf(view)
  const isBusy = isSending || !isQuiet(view)
  return {
    session,
    messages: messagesOf(session, view),
    status: failure === null && isBusy ? 'streaming' : error === null ? 'ready' : 'error',
    error: failure === null && isBusy ? null : error,
    asks: statusOf(view).asks.map(chatAsk),
    hasOlder: older !== 'none',
  }
}

function chatAsk(ask: Ask): ChatAsk {
  const { id, command, effective, cwd, reasons, causes = [], rest } = ask
  const offer = ask.offer ? { words: ask.offer.words } : null
  return { id, command, effective, cwd, reasons, causes, grade: ask.grade ?? null, offer, rest }
}

function unheard({ session, isSending, failure }: Beside): ChatState {
  const status = failure !== null ? 'error' : isSending ? 'streaming' : 'ready'
  return { ...noChat, session, status, error: failure }
}

function messagesOf(session: string, { entries }: View): readonly Message[] {
  const messages: Message[] = []
  for (const entry of eachEntry(entries)) {
    let message = made.get(entry)
    if (message === undefined) made.set(entry, (message = messageOf(session, entry)))
    if (message !== null) messages.push(message)
  }
  return messages
}

/** A feed that nobody closed was refused, or its session is gone. */
function brokenLink(link: Link): Error | null {
  if (link.phase !== 'closed') return null
  return link.error === null ? new Error('this session is gone') : errorOf(link.error)
}

/** The fault that the session itself tells of, if nothing was said or run since. */
function faultOf({ entries }: View): Error | null {
  for (const entry of [...(entries.chunks.at(-1) ?? [])].reverse()) {
    if (entry.kind !== 'notice') return null
    if (entry.notice.type === 'fault') return new Error(entry.notice.message)
  }
  return null
}

export function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
