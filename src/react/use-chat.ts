import { useState, useSyncExternalStore } from 'react'
import { intentsOf, type SessionIntents } from '../client/session/intents.ts'
import { openClient } from './open-client.ts'
import { createTalk } from './chat-talk.ts'
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
