import { randomUUID } from 'node:crypto'
import { AgentError } from './agent/agent-error.ts'
import { openSession } from './agent/open-session.ts'
import { createOutcome } from './agent/outcome.ts'
import { plainError } from './agent/plain-error.ts'
import { openLine, type SessionLine } from './agent/session-line.ts'
import { type SharedServer, shareServer } from './agent/shared-server.ts'
import { refusalOf } from './client/client-error.ts'
import { type Client, connect } from './client/connect.ts'
import type { Delta } from './protocol/delta.ts'
import type { Event } from './protocol/event.ts'
import { limits } from './protocol/limits.ts'
import { routes } from './protocol/routes.ts'
import type { ApprovalMode } from './protocol/session.ts'
import type { TurnEnd, Usage } from './protocol/turn.ts'

export { AgentError }
export type { ApprovalMode, Delta, Event, TurnEnd, Usage }

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
  /** What a model's command needs before it runs. With `refuse` whatever would ask is denied. */
  approval?: ApprovalMode
}

/**
 * Text as a person would type it: a prompt, `!command`, `/command`. As `run` all of it is a command, as
 * `text` none of it is.
 */
export type AgentInput = string | { message: string; as?: 'auto' | 'run' | 'text' }

/** What came of an input, once nothing more is to come. */
export interface AgentResult {
  /** The model's last reply; of a command, its answer. */
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
  /** What to tell the model with a no. */
  word?: string
  /** Run this instead. */
  command?: string
}

export interface Agent {
  readonly session: string
  /** Where its server is: a browser or the command line can join the session there. */
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
      const isMore = await line
        .until(() => line.seen() > last)
        .then(
          () => true,
          (error: unknown) => {
            if (closing) return false
            throw error
          },
        )
      if (!isMore) return
    }
  }

  return {
    session,
    url: client.url,
    async send(input) {
      const { message, as = 'auto' } = typeof input === 'string' ? { message: input } : input
      if (closing) throw new AgentError('closed', 'the agent is closed')
      const outcome = createOutcome()
      const seen = line.seen()
      const forget = line.subscribe((frame) => {
        if (frame.type === 'event') outcome.take(frame.event)
      })
      try {
        outcome.begin(await client.send(session, { text: message, as }), seen)
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
