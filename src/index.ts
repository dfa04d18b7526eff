import { randomUUID } from 'node:crypto'
import { AgentError, plainError } from './agent/agent-error.ts'
import { openSession, type SharedServer, shareServer } from './agent/open-session.ts'
import { openLine, type SessionLine, createOutcome } from './agent/session-line.ts'
import {
  getShellResult,
  runShell,
  type ShellAccepted,
  type ShellOrder,
  type ShellResult,
  type TeamShellOptions,
} from './agent/team-shell.ts'
import { refusalOf } from './client/wire/client-error.ts'
import { type Client, connect } from './client/wire/connect.ts'
import type { Delta } from './protocol/stream/delta.ts'
import type { AskScope } from './protocol/events/ask.ts'
import type { Event } from './protocol/events/event.ts'
import { limits } from './protocol/limits.ts'
import { routes } from './protocol/http/routes.ts'
import type { ApprovalMode } from './protocol/events/approval-mode.ts'
import type { TurnEnd, Usage } from './protocol/events/turn.ts'

export { AgentError, getShellResult, runShell }
export type {
  ApprovalMode,
  Delta,
  Event,
  ShellAccepted,
  ShellOrder,
  ShellResult,
  TeamShellOptions,
  TurnEnd,
  Usage,
}

export interface AgentOptions {
  /** The folder that a new session works in; default: the current one. */
  workspace?: string
  /** The data folder; default: TANDEM_HOME, else where the command line keeps it. */
  home?: string
  /** provider/name; `demo/demo` needs neither key nor network. */
  model?: string
  /** Go on in this session instead of a new one. */
  session?: string
  title?: string
  /** How a model's commands are approved: `ask-all`, `guarded`, `trusted-session` or `refuse`, with which none runs. */
  approval?: ApprovalMode
  /** False: nobody is there to be asked, and a command that would ask is denied. For a new session. */
  attended?: boolean
}

/**
 * Text as a person would type it: a prompt, `!command`, `/command`. As `run` all of it is a command, as
 * `text` none of it is. While a program in the terminal seems to ask for a password, a text that is not said to be
 * `notSecret` is refused as `secret_suspected`.
 */
export type AgentInput =
  | string
  | { message: string; as?: 'auto' | 'run' | 'text'; notSecret?: boolean }

/** The final outcome of an input. */
export interface AgentResult {
  /** The model's last reply, or the answer of a command. */
  text: string
  /** Why the turn ended; `done` where there was none. */
  reason: TurnEnd
  steps: number
  usage: Usage
  /** Everything that ran meanwhile. */
  runs: { command: string; exitCode: number | null }[]
  error: { code: string; message: string } | null
}

/** Events are on disk, in order and without gaps; deltas are live fragments of what is under way. */
export type AgentFrame = { type: 'event'; event: Event } | { type: 'delta'; delta: Delta }

export interface AnswerDetails {
  /** A word to the model with a no. */
  word?: string
  /** Run this instead. */
  command?: string
  /** What a yes counts for: `once` by default, the rest of the `reply`, the rule that the event offers, or the `shell` with its settings. */
  scope?: AskScope
}

export interface Agent {
  readonly session: string
  /** Address of its server: a browser or the command line can join the session there. */
  readonly url: string
  /**
   * Resolves when the input is through: a command when it is answered, a prompt when its turn has ended.
   * A turn that asks something waits for `answer`.
   */
  send(input: AgentInput): Promise<AgentResult>
  /** Hears everything from now on; returns what ends that. */
  subscribe(listener: (frame: AgentFrame) => void): () => void
  /** The events after this one, old and new, until the agent is closed. */
  events(after?: number): AsyncIterable<Event>
  /** Answers the ask of an `elicitation_request`. */
  answer(ask: string, outcome: 'allow' | 'deny', details?: AnswerDetails): Promise<void>
  /** Ends the turn, if one is under way. */
  abort(): Promise<void>
  /**
   * Lets go of the session; its log stays. A server that was started for it ends with its last agent.
   * Shells, and what runs in them, live on unless they are to end with that server.
   */
  close(options?: { shells?: 'keep' | 'end' }): Promise<void>
}

/**
 * Opens a session on the server of the data folder, which is started in this process if none runs. Every
 * error is an AgentError.
 */
export async function createAgent(options: AgentOptions = {}): Promise<Agent> {
  const { home, model } = options
  const shared = await shareServer({ home, model }).catch(throwPlain)
  const { url, token } = shared.server
  const client = connect({ url, token, fetch, name: 'embedded', newKey: randomUUID })
  try {
    const { id: session, seq } = await openSession(client, options)
    return agentOn({ client, shared, session, line: openLine(client, { session, after: seq }) })
  } catch (error) {
    await shared.release('keep')
    throw plainError(error)
  }
}

interface AgentParts {
  client: Client
  shared: SharedServer
  session: string
  line: SessionLine
}

function agentOn({ client, shared, session, line }: AgentParts): Agent {
  const params = { id: session }
  let closing: Promise<void> | null = null

  async function* events(after = 0): AsyncGenerator<Event, void> {
    for (let last = after; ;) {
      const query = { after: last, limit: limits.pageEvents }
      const page = await client.call(routes.log, { params, query }).catch(throwPlain)
      for (const event of page.events) {
        yield event
        last = event.seq
      }
      if (page.events.length > 0) continue
      try {
        await line.until(() => line.seen() > last)
      } catch (error) {
        if (closing) return
        throw error
      }
    }
  }

  return {
    session,
    url: client.url,
    async send(input) {
      const { message: text, ...rest } = typeof input === 'string' ? { message: input } : input
      if (closing) throw new AgentError('closed', 'the agent is closed')
      const outcome = createOutcome()
      const seen = line.seen()
      const forget = line.subscribe((frame) => {
        if (frame.type === 'event') outcome.take(frame.event)
      })
      try {
        outcome.begin(await client.send(session, { text, ...rest }), seen)
        await line.until(outcome.isOver)
        return outcome.result()
      } catch (error) {
        throw plainError(error)
      } finally {
        forget()
      }
    },
    subscribe: line.subscribe,
    events,
    async answer(ask, outcome, details = {}) {
      const body = { ask, outcome, ...details }
      await client.call(routes.answer, { params, body }).catch(throwPlain)
    },
    async abort() {
      await client.call(routes.abort, { params, body: {} }).catch((error: unknown) => {
        if (refusalOf(error)?.code !== 'no_turn') throw plainError(error)
      })
    },
    close: ({ shells = 'keep' } = {}) =>
      (closing ??= line.close().then(() => shared.release(shells))),
  }
}

function throwPlain(error: unknown): never {
  throw plainError(error)
}
