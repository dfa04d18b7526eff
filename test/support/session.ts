import type { AskScope } from '../../src/protocol/events/ask.ts'
import type { Client } from '../../src/client/wire/connect.ts'
import type { Delta } from '../../src/protocol/stream/delta.ts'
import type { Event } from '../../src/protocol/events/event.ts'
import type { Frame } from '../../src/protocol/stream/frame.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import type { Accepted, SessionView } from '../../src/protocol/http/session-view.ts'
import { createSignal } from './signal.ts'

type OfType<T extends Event['type']> = Event & { type: T }

/** A client of one session that remembers everything it was sent. */
export interface TestSession {
  id: string
  events: readonly Event[]
  deltas: readonly Delta[]
  frames: readonly Frame[]
  send(text: string, as?: 'auto' | 'run' | 'text'): Promise<Accepted>
  /** The n-th event of a type (from 1), once it is there. */
  until<T extends Event['type']>(type: T, n?: number): Promise<OfType<T>>
  /** Resolves when a delta fits. */
  untilDelta(fits: (delta: Delta) => boolean): Promise<void>
  /** Resolves when as many events are there. */
  untilEvents(count: number): Promise<void>
  all<T extends Event['type']>(type: T): readonly OfType<T>[]
  /** Resolves when everything that was stored has been replayed. */
  live(): Promise<void>
  /** The answer to a call, once it is there. */
  answerTo(request: number | null): Promise<OfType<'tool_response'>>
  view(): Promise<SessionView>
  answer(
    outcome: 'allow' | 'deny',
    rest?: { word?: string; command?: string; scope?: AskScope },
  ): Promise<Accepted>
  abort(): Promise<Accepted>
  interrupt(signal?: 'int' | 'term' | 'kill' | 'restart'): Promise<Accepted>
  /** Runs a command in the terminal and waits for its answer. */
  run(command: string): Promise<OfType<'tool_response'>>
  close(): void
}

export function openTestSession(client: Client, id: string): TestSession {
  const events: Event[] = []
  const deltas: Delta[] = []
  const frames: Frame[] = []
  const changed = createSignal()
  const controller = new AbortController()
  const params = { id }
  client
    .follow({
      session: id,
      after: 0,
      signal: controller.signal,
      attempts: 1,
      onFrames(batch) {
        for (const frame of batch) {
          frames.push(frame)
          if (frame.type === 'event') events.push(frame.event)
          if (frame.type === 'delta') deltas.push(frame.delta)
        }
        changed.fire()
      },
    })
    // A server that a test kills ends the line; the test opens another.
    .catch(() => undefined)

  function all<T extends Event['type']>(type: T): readonly OfType<T>[] {
    return events.filter((event): event is OfType<T> => event.type === type)
  }

  async function until<T extends Event['type']>(type: T, n = 1): Promise<OfType<T>> {
    await changed.until(() => all(type).length >= n)
    return all(type)[n - 1]!
  }

  async function answerTo(request: number | null): Promise<OfType<'tool_response'>> {
    const answered = () => all('tool_response').find((event) => event.request === request)
    await changed.until(() => answered() !== undefined)
    return answered()!
  }

  async function openAsk(): Promise<string> {
    const isOpen = () => {
      const closed = new Set(all('elicitation_response').map((answer) => answer.ask))
      return all('elicitation_request').find((ask) => !closed.has(ask.ask))
    }
    await changed.until(() => isOpen() !== undefined)
    return isOpen()!.ask
  }

  return {
    id,
    events,
    deltas,
    frames,
    send: (text, as = 'auto') => client.send(id, { text, as }),
    until,
    untilDelta: (fits) => changed.until(() => deltas.some(fits)),
    untilEvents: (count) => changed.until(() => events.length >= count),
    all,
    live: () => changed.until(() => frames.some(({ type }) => type === 'live')),
    answerTo,
    view: () => client.call(routes.session, { params }),
    async answer(outcome, rest = {}) {
      return client.call(routes.answer, {
        params,
        body: { ask: await openAsk(), outcome, ...rest },
      })
    },
    abort: () => client.call(routes.abort, { params, body: {} }),
    interrupt: (signal = 'int') => client.call(routes.interrupt, { params, body: { signal } }),
    async run(command) {
      const { first } = await client.send(id, { text: command, as: 'run' })
      return answerTo(first)
    },
    close: () => controller.abort(),
  }
}
