import type { Chat, ChatAnswer, ChatAsk, ChatOptions, Message, SendOptions } from './chat-types.ts'
import { useChat } from './use-chat.ts'
import {
  useTerminal,
  type Terminal,
  type TerminalOptions,
  type TerminalRoom,
  type TerminalScreen,
} from './use-terminal.ts'

/** `tandem/react`: what a page of one's own needs for a chat and a terminal. */
export { useChat, useTerminal }
export type { Chat, ChatAnswer, ChatAsk, ChatOptions, Message, SendOptions }
export type { Terminal, TerminalOptions, TerminalRoom, TerminalScreen }
