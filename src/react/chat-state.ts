import type { Link, Snapshot } from '../client/feed.ts'
import type { Entry } from '../view/entry.ts'
import { eachEntry } from '../view/entry-list.ts'
import { isQuiet, statusOf } from '../view/status.ts'
import type { View } from '../view/view.ts'
import type { ChatState, Message } from './chat-types.ts'
import { messageOf } from './message.ts'

export interface Beside {
  session: string
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

export function chatStateOf({ view, link, older }: Snapshot, beside: Beside): ChatState {
  const { session, isSending, failure } = beside
  const error = failure ?? brokenLink(link) ?? faultOf(view)
  const isBusy = isSending || !isQuiet(view)
  return {
    session,
    messages: messagesOf(session, view),
    status: failure === null && isBusy ? 'streaming' : error === null ? 'ready' : 'error',
    error: failure === null && isBusy ? null : error,
    asks: statusOf(view).asks.map(({ id, command, effective, cwd, reasons }) => ({
      id,
      command,
      effective,
      cwd,
      reasons,
    })),
    hasOlder: older !== 'none',
  }
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

/** What the session itself says went wrong, if nothing was said or run since. */
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
