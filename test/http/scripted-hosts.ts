import { createPublisher } from '../../src/server/session/commit.ts'
import { randomUUID } from 'node:crypto'
import type { Delta } from '../../src/protocol/stream/delta.ts'
import { Event } from '../../src/protocol/events/event.ts'
import type { AgentMessage } from '../../src/protocol/http/agent-route.ts'
import type { Intent } from '../../src/protocol/http/intent.ts'
import type { By } from '../../src/protocol/events/event-base.ts'
import type { Refusal } from '../../src/protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../src/base/result.ts'
import type { Accepted, SessionView } from '../../src/protocol/http/session-view.ts'
import type { FrameSink, Hosts, SessionHost } from '../../src/server/session/host.ts'

type Fresh<T> = T extends Event ? Omit<T, 'v' | 'seq' | 'at' | 'by'> : never
export type FreshEvent = Fresh<Event>

/** A session that does what a test says: the log and the fan-out are real, the work is scripted. */
export interface ScriptedHost extends SessionHost {
  readonly events: readonly Event[]
  readonly handled: readonly { intent: Intent; by: By }[]
  append(event: FreshEvent): Event
  delta(delta: Delta): void
  close(reason: 'deleted'): void
  subscribers(): number
  /** Resolves when as many clients follow. */
  followedBy(count: number): Promise<void>
  /** The answer to the next intents; by default they are accepted and stored as a message. */
  answerWith(answer: (intent: Intent) => Result<Accepted, Refusal>): void
  breakWith(error: Error): void
}

export interface ScriptedHosts extends Hosts {
  session(id?: string): ScriptedHost
  onThrowAway(script: (host: ScriptedHost, messages: readonly AgentMessage[]) => void): void
  readonly endedShells: readonly string[]
  shellEnded(): Promise<void>
}

function waiters() {
  const waiting = new Set<() => void>()
  return {
    check: () => waiting.forEach((check) => check()),
    until(done: () => boolean): Promise<void> {
      return new Promise((resolve) => {
        const check = () => {
          if (!done()) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      })
    },
  }
}

/** Short, so that a few events take several pages. */
const replayPage = 3

function createHost(id: string): ScriptedHost {
  const events: Event[] = []
  const handled: { intent: Intent; by: By }[] = []
  /** Those whom everything was replayed to. */
  const following = new Set<FrameSink>()
  const publisher = createPublisher({
    read: async (after) => events.slice(after, after + replayPage),
    diagnose: () => undefined,
  })
  const changes = waiters()
  let answer: ((intent: Intent) => Result<Accepted, Refusal>) | null = null
  let broken: Error | null = null

  function append(fresh: FreshEvent, by: By = { kind: 'system' }): Event {
    const event = Event.parse({ v: 1, seq: events.length + 1, at: 1_000, by, ...fresh })
    events.push(event)
    publisher.events([event])
    changes.check()
    return event
  }

  function view(): SessionView {
    return {
      id,
      team: 'default',
      workspace: '/w',
      title: null,
      createdAt: 0,
      updatedAt: 0,
      head: events.length,
      seq: events.length,
      status: 'idle',
      approval: 'guarded',
      private: false,
      model: null,
      shell: null,
      open: { turn: null, step: null, calls: [], runs: [], levels: [], asks: [], queue: [] },
    }
  }

  return {
    id,
    liveView: {
      view: () => ({ ack() {}, viewport() {}, close() {} }),
      type: () => null,
      typeSecret: async () => null,
      head: () => 0,
      state: () => ({
        type: 'terminal',
        phase: 'none',
        driver: 'person',
        size: { rows: 24, cols: 80 },
        screen: 'line',
        cwd: null,
        integration: 'none',
      }),
    },
    events,
    handled,
    view,
    append,
    delta(delta) {
      publisher.delta(delta)
      changes.check()
    },
    close(reason) {
      publisher.close(reason)
      changes.check()
    },
    subscribers: () => following.size,
    followedBy: (count) => changes.until(() => following.size === count),
    answerWith: (next) => void (answer = next),
    breakWith: (error) => void (broken = error),
    async handle(intent, by) {
      if (broken) throw broken
      handled.push({ intent, by })
      changes.check()
      if (answer) return answer(intent)
      const text = intent.type === 'submit' ? intent.text : intent.type
      const { seq } = append(
        {
          type: 'message',
          role: 'user',
          parts: [{ type: 'text', text }],
          inContext: true,
          synthetic: false,
        },
        by,
      )
      return ok({ first: seq, head: seq })
    },
    subscribe(after, sink) {
      const take: FrameSink = (frame) => {
        const isTaken = sink(frame)
        if (frame.type === 'live') following.add(sink)
        if (isTaken === false) following.delete(sink)
        changes.check()
        return isTaken
      }
      const leave = publisher.subscribe(after, take, () => [])
      return () => {
        leave()
        following.delete(sink)
        changes.check()
      }
    },
    async readLog({ after, before, limit }) {
      const page = events.filter(({ seq }) => seq > (after ?? 0) && seq < (before ?? Infinity))
      const isNewest = after === undefined && before !== undefined
      return isNewest ? page.slice(-limit) : page.slice(0, limit)
    },
    run: async () => null,
    output: async () => null,
    bytes: async () => null,
    cache: async () => ({ requests: [], broken: 0 }),
    complete: async ({ cursor }) => ({ from: cursor, to: cursor, items: [] }),
    history: async () => [],
    commands: async () => [],
    export: async (format) => `export as ${format}`,
  }
}

export function createScriptedHosts(): ScriptedHosts {
  const hosts = new Map<string, ScriptedHost>()
  const endedShells: string[] = []
  const changes = waiters()
  let script: (host: ScriptedHost, messages: readonly AgentMessage[]) => void = () => {}

  function session(id: string = randomUUID()): ScriptedHost {
    const host = createHost(id)
    hosts.set(id, host)
    host.append({
      type: 'session_start',
      team: 'default',
      workspace: '/w',
      title: null,
      approval: 'guarded',
      limits: { stepsPerTurn: 10, modelRunMs: 1, personSilenceMs: 1, oneShotMs: 1 },
    })
    return host
  }

  return {
    session,
    endedShells,
    shellEnded: () => changes.until(() => endedShells.length > 0),
    onThrowAway: (next) => void (script = next),
    create: async ({ workspace }) =>
      workspace.startsWith('/')
        ? ok(session())
        : refused({ code: 'bad_workspace', message: `${workspace} is not an absolute folder` }),
    async createThrowAway({ messages }) {
      const host = session()
      script(host, messages)
      return ok(host)
    },
    async open(id) {
      const host = hosts.get(id)
      return host ? ok(host) : refused({ code: 'not_found', message: `there is no session ${id}` })
    },
    list: async () =>
      [...hosts.values()].map((host) => ({ ...host.view(), preview: null, live: false })),
    remove: async (id) => hosts.delete(id),
    async endThrowAway(id) {
      endedShells.push(id)
      changes.check()
    },
    count: () => hosts.size,
  }
}

/** The simplest event that carries text. */
export function say(host: ScriptedHost, text: string): Event {
  const parts = [{ type: 'text' as const, text }]
  return host.append({ type: 'message', role: 'user', parts, inContext: true, synthetic: false })
}
