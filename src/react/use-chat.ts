import { useState, useSyncExternalStore } from 'react'
import { intentsOf, type SessionIntents } from '../client/session/intents.ts'
import { openClient } from './open-client.ts'
import { everyFrame, nextFrame } from '../client/frame-rate.ts'
import { readHealth } from '../client/server.ts'
import { createFeed, type Feed } from '../client/session/feed.ts'
import { createHistory } from '../client/session/records.ts'
import { beginAfter, createSession } from '../client/sessions.ts'
import { refusalOf } from '../client/wire/client-error.ts'
import type { Client } from '../client/wire/connect.ts'
import { chatStateOf, errorOf, noChat } from './chat-state.ts'
import type { Chat, ChatOptions, ChatActions, ChatState, SendOptions } from './chat-types.ts'

/** A chat with a session, from mount to unmount. Other options are another chat. */
export function useChat(options: ChatOptions): Chat {
  const { url, token, session, workspace } = options
  const key = JSON.stringify([url, token, session, workspace])
  const [held, setHeld] = useState(() => ({ key, chat: createChat(options) }))
  if (held.key !== key) setHeld({ key, chat: createChat(options) })
  const { chat } = held
  const state = useSyncExternalStore(chat.subscribe, chat.getSnapshot, chat.getSnapshot)
  const { sendMessage, clearMessages, stop, answer, loadOlder } = chat
  return { ...state, sendMessage, clearMessages, stop, answer, loadOlder }
}

/** A chat that is connected as long as somebody listens. */
interface ChatStore extends ChatActions {
  getSnapshot(): ChatState
  subscribe(listener: () => void): () => void
}

function createChat({ url, token, workspace, session }: ChatOptions): ChatStore {
  const client = openClient({ url, token })
  const listeners = new Set<() => void>()
  const talk = createTalk({ client, workspace, session: session ?? null, onChange: look })
  let sending = 0
  /** The last event that was caused from here: until it shows, something is under way. */
  let caused = 0
  let failure: Error | null = null
  let state: ChatState = { ...noChat, session: talk.session() }

  function look(): void {
    const snapshot = talk.snapshot()
    const isSending = sending > 0 || (snapshot?.view.state.head ?? caused) < caused
    state = chatStateOf(snapshot, { session: talk.session(), isSending, failure })
    for (const listener of listeners) listener()
  }

  /** Asks something of the session, if there is one; a no is shown. */
  function ask(asked: (intents: SessionIntents) => Promise<unknown>): void {
    const id = talk.session()
    if (id === null) return
    asked(intentsOf(client, id)).catch((error: unknown) => {
      failure = errorOf(error)
      look()
    })
  }

  function stop(): void {
    const open = talk.snapshot()?.view.state
    if (open !== undefined) ask((intents) => intents.stop({ hasTurn: open.turn !== null }))
  }

  async function send(text: string, { isNotSecret = confirmed }: SendOptions): Promise<boolean> {
    const id = await talk.begin()
    if (id !== talk.session()) return false
    const { head } = await client.send(id, { text, isNotSecret })
    if (id === talk.session()) caused = head
    return true
  }

  return {
    getSnapshot: () => state,
    subscribe(listener) {
      listeners.add(listener)
      talk.listen()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) talk.hangUp()
      }
    },
    async sendMessage(content, options = {}) {
      failure = null
      sending += 1
      look()
      try {
        return await send(content, options)
      } catch (error) {
        failure = errorOf(error)
        return false
      } finally {
        sending -= 1
        look()
      }
    },
    clearMessages() {
      if (state.status === 'streaming') stop()
      talk.clear()
      failure = null
      caused = 0
      look()
    },
    stop,
    answer: (id, outcome, details = {}) =>
      ask((intents) => intents.answer({ ask: id, outcome, ...details })),
    loadOlder: talk.loadOlder,
  }
}

/** A page's own question; where there is no page, nobody can say yes. */
const confirmed = (question: string) =>
  typeof confirm === 'function' &&
  confirm(
    `“${question}” in the terminal looks like a question for a password. Send this to the model all the same?`,
  )

interface TalkOptions {
  client: Client
  workspace: string | undefined
  session: string | null
  onChange: () => void
}

/** The session that a chat talks in, which begins with the first message and can be left for another. */
function createTalk({ client, workspace, onChange, ...options }: TalkOptions) {
  let { session } = options
  /** The session that was cleared: the next one goes on in its terminal. */
  let cleared: string | null = null
  /** Its beginning, so that two messages at once share one session. */
  let opening: Promise<string> | null = null
  let feed: Feed | null = null
  let isHeard = false
  const pictures = everyFrame(nextFrame, onChange)

  function open(): void {
    if (session === null || feed !== null || !isHeard) return
    feed = createFeed(client, { session, history: createHistory(client, session) })
    feed.subscribe(pictures.due)
  }

  function close(): void {
    pictures.cancel()
    feed?.close()
    feed = null
  }

  async function start(): Promise<string> {
    if (cleared !== null) {
      const next = await beginAfter(client, cleared).catch(unlessGone)
      cleared = null
      if (next !== null) return next.id
    }
    const folder = workspace ?? (await readHealth(client)).folder
    if (folder === undefined)
      throw new Error('name a workspace: the server has no folder of its own')
    return (await createSession(client, folder)).id
  }

  return {
    session: () => session,
    /** Null while nobody listens. */
    snapshot: () => feed?.getSnapshot() ?? null,
    /** The session that a message goes to; whoever cleared meanwhile is no longer interested. */
    async begin(): Promise<string> {
      if (session !== null) return session
      const mine = (opening ??= start())
      try {
        const id = await mine
        if (opening === mine) {
          session = id
          open()
        }
        return id
      } finally {
        if (opening === mine) opening = null
      }
    },
    /** Leaves the session; the next one goes on in its terminal. */
    clear(): void {
      close()
      cleared = session ?? cleared
      session = opening = null
    },
    listen(): void {
      isHeard = true
      open()
    },
    hangUp(): void {
      isHeard = false
      close()
    },
    loadOlder: () => void feed?.loadOlder(),
  }
}

/** A session that was deleted meanwhile has nothing to give. */
function unlessGone(error: unknown): null {
  if (refusalOf(error)?.code === 'not_found') return null
  throw error
}
