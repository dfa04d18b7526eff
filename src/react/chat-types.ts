export interface ChatOptions {
  /**
   * Where the server is. It answers only its own pages, so another site passes requests on to it under
   * its own address, and gives that.
   */
  url: string
  token: string
  /** Go on in this session; default: a new one with the first message. */
  session?: string
  /** The folder that a new session works in; default: where the server was started. */
  workspace?: string
}

/** One of a chat, as most chat interfaces have it. */
export interface Message {
  id: string
  /**
   * `tool`: a command and what it printed, whoever ran it, or a file or skill that was read. What was
   * typed in the terminal is only named: its output is there.
   */
  role: 'user' | 'assistant' | 'tool'
  /** An assistant’s is as the model wrote it, `<shell>` tags included. */
  content: string
  timestamp: Date
}

/** A command of the model's that waits for a person. */
export interface ChatAsk {
  id: string
  command: string
  /** What would really run, where that differs. */
  effective: string
  cwd: string | null
  reasons: readonly string[]
}

export interface ChatState {
  /** Null until the first message starts one. */
  session: string | null
  messages: readonly Message[]
  /** `streaming` while anything is under way, an open question included. */
  status: 'ready' | 'streaming' | 'error'
  /** What went wrong last, until something is sent again. */
  error: Error | null
  asks: readonly ChatAsk[]
  /** There is more before the first message. */
  hasOlder: boolean
}

export interface ChatActions {
  /** Text as a person types it: `!command` and `/command` work, too. False: not sent, see `error`. */
  sendMessage(content: string): Promise<boolean>
  /** Stops what is under way and begins anew, in the same terminal if it is free; the old session stays listed. */
  clearMessages(): void
  /** Ends the turn, or a command that was started without the model. */
  stop(): void
  answer(
    ask: string,
    outcome: 'allow' | 'deny',
    details?: { word?: string; command?: string },
  ): void
  /** Brings messages from before the first. */
  loadOlder(): void
}

export interface Chat extends ChatState, ChatActions {}
