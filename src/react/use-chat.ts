import { useState, useSyncExternalStore } from 'react'
import { createChat } from './chat.ts'
import type { Chat, ChatOptions } from './chat-types.ts'

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
