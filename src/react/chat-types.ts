export interface ChatOptions {
  /**
   * The server's address. It answers only its own pages, so another site passes requests on to it under
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
  /** The command that would really run, where that differs. */
  effective: string
  cwd: string | null
  reasons: readonly string[]
  /** More about some of the reasons: the part of the command that one is of, and the real paths that it is about. */
  causes: readonly {
    reason: string
    part?: string | undefined
    targets?: readonly string[] | undefined
  }[]
  /**
   * The reach of the command: it only reads, changes files here, may leave the folder or use the network, or is hard to
   * undo. Null where nobody can say: show that like the grave ones.
   */
  grade: 'reads' | 'changes' | 'leaves' | 'destroys' | null
  /** The rule that a yes with the scope `session` or `folder` makes; null where none may be made. Show its words first. */
  offer: { words: string } | null
  /** The commands that wait behind it in the same reply: with the scope `reply` a yes counts for them, too. */
  rest: readonly string[]
}

export interface ChatAnswer {
  /** A word to the model with a no. */
  word?: string
  /** Run this instead. */
  command?: string
  /** The commands that a yes counts for; default: `once`. */
  scope?: 'once' | 'reply' | 'session' | 'folder'
}

export interface ChatState {
  /** Null until the first message starts one. */
  session: string | null
  messages: readonly Message[]
  /** `streaming` while anything is under way, an open question included. */
  status: 'ready' | 'streaming' | 'error'
  /** The last failure, until something is sent again. */
  error: Error | null
  asks: readonly ChatAsk[]
  /** There is more before the first message. */
  hasOlder: boolean
}

export interface SendOptions {
  /**
   * Asked when a program in the terminal seems to ask for a password, which the text could be: true sends it all the
   * same. Default: the browser's own question, `confirm`.
   */
  isNotSecret?: (question: string) => boolean | Promise<boolean>
}

export interface ChatActions {
  /** Text as a person types it: `!command` and `/command` work, too. False: not sent, see `error`. */
  sendMessage(content: string, options?: SendOptions): Promise<boolean>
  /** Stops what is under way and begins anew, in the same terminal if it is free; the old session stays listed. */
  clearMessages(): void
  /** Ends the turn, or a command that was started without the model. */
  stop(): void
  answer(ask: string, outcome: 'allow' | 'deny', details?: ChatAnswer): void
  /** Brings messages from before the first. */
  loadOlder(): void
}

export interface Chat extends ChatState, ChatActions {}
