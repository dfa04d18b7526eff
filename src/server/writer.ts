import type { By } from '../protocol/by.ts'
import type { Event } from '../protocol/event.ts'
import type { Intent } from '../protocol/intent.ts'
import type { Refusal } from '../protocol/refusal.ts'
import { ok, refused, type Result } from '../protocol/result.ts'
import type { Head, IntentKey } from '../protocol/seq.ts'
import type { Accepted } from '../protocol/session-view.ts'
import type { SessionState } from '../log/state.ts'
import { type Envelope, system } from '../session/append.ts'
import type { Catalogue } from '../session/catalogue.ts'
import { decide, type Decision } from '../session/decide.ts'
import { record } from '../session/record.ts'
import type { Report } from '../session/report.ts'
import type { Batch } from './commit.ts'
import { createSerial } from './serial.ts'
import { settleJudgements } from './settle-judgements.ts'
import { refusalOf } from './store-refusal.ts'
import { StoreError } from './store/store-error.ts'

export interface WriterDeps {
  state: SessionState
  catalogue(): Catalogue
  /** Stores and publishes; rejects with a StoreError and has then changed nothing. */
  commit(batch: Batch): Promise<void>
  findKey(key: IntentKey): Promise<Head | null>
  /** The state moved on: what should be under way may be something else now. */
  onState(state: SessionState): void
  onSignal(signal: NonNullable<Decision['signal']>): void
  onDriver(driver: NonNullable<Decision['driver']>): void
  onKeep(): void
  /** What was found cannot be stored, and waits: said once, until it could. */
  onFull(): void
  diagnose(message: string, error: unknown): void
  clock(): number
  uuid(): string
}

/** What was found out for an intent before it was queued: nothing foreign is awaited in the queue. */
export interface Looked {
  /** Where the terminal's byte log ended. */
  ptyAt: number
  /** What was found of the world counts from here on. */
  ready(): void
}

/** The one writer of a session: intents and reports come in one by one, events go out. */
export interface Writer {
  state(): SessionState
  handle(intent: Intent, by: By, looked?: Looked): Promise<Result<Accepted, Refusal>>
  /** Resolves when what it says is on disk, however long the disk is full; false if it never can be. */
  report(report: Report): Promise<boolean>
  /** Does something that must not meet an intent or a report; a store that fails is a refusal. */
  inTurn<T>(task: (turn: Turn) => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>>
  /** Takes nothing more. */
  stop(): Promise<void>
}

/** What may be done while nothing else is taken. */
export interface Turn {
  /** Takes in the reports that came meanwhile. */
  drain(): Promise<void>
  envelope<Body>(body: Body): Envelope<Body>
  commit(events: readonly Event[], extra?: Pick<Batch, 'begins'>): Promise<void>
  /** Takes a report in, together with the beginning of another session. */
  tell(report: Report, extra: Pick<Batch, 'begins'>): Promise<void>
}

const notLooked: Looked = { ptyAt: 0, ready: () => undefined }

/** How long a report waits before it is tried again on a store that would not take it. */
const retryMs = 500

export function createWriter(deps: WriterDeps): Writer {
  const serial = createSerial()
  const backlog: { report: Report; done: (isRecorded: boolean) => void }[] = []
  let state = deps.state
  let isStopped = false
  let retry: NodeJS.Timeout | null = null
  let isFull = false

  function envelope<Body>(body: Body, by: By): Envelope<Body> {
    return { at: deps.clock(), uuid: deps.uuid(), by, body }
  }

  async function commit(
    events: readonly Event[],
    extra: Pick<Batch, 'key' | 'begins'> = {},
  ): Promise<void> {
    if (events.length === 0) return
    const settled = settleJudgements(state, events, deps)
    await deps.commit({ before: state, events: settled.events, ...extra })
    state = settled.state
    deps.onState(state)
  }

  async function take(
    intent: Intent,
    by: By,
    { ptyAt, ready }: Looked,
  ): Promise<Result<Accepted, Refusal>> {
    if (isStopped) return refused({ code: 'session_closed', message: 'The session is closed.' })
    await drain()
    const key = 'key' in intent ? intent.key : undefined
    const earlier = key === undefined ? null : await deps.findKey(key)
    if (earlier !== null) return ok({ first: null, head: earlier, repeated: true })
    ready()
    const decision = decide(state, { ...envelope(intent, by), ptyAt }, deps.catalogue())
    if (!decision.ok) return decision
    const { events, signal, driver, keep } = decision.value
    await commit(events, { key })
    if (signal) deps.onSignal(signal)
    if (driver) deps.onDriver(driver)
    if (keep) deps.onKeep()
    return ok({ first: events[0]?.seq ?? null, head: state.head, repeated: false })
  }

  /** Reports in the order they came. One that the store will not take yet holds up the rest. */
  async function drain(): Promise<void> {
    for (let next = backlog[0]; next; next = backlog[0]) {
      if (isStopped) return
      let isRecorded = true
      try {
        await commit(record(state, envelope(next.report, system), deps.catalogue()))
      } catch (error) {
        if (error instanceof StoreError) {
          retry ??= setTimeout(tryAgain, retryMs)
          if (!isFull && error.code === 'disk_full') deps.onFull()
          isFull = error.code === 'disk_full'
          throw error
        }
        deps.diagnose(`a ${next.report.type} report could not be recorded`, error)
        isRecorded = false
      }
      isFull = false
      backlog.shift()
      next.done(isRecorded)
    }
  }

  function tryAgain(): void {
    retry = null
    serial.run(drain).catch((error: unknown) => deps.diagnose('reports are waiting', error))
  }

  const turn: Turn = {
    drain,
    commit,
    envelope: (body) => envelope(body, system),
    tell: (report, extra) =>
      commit(record(state, envelope(report, system), deps.catalogue()), extra),
  }

  return {
    state: () => state,
    inTurn: (task) =>
      serial.run(async () => {
        if (isStopped) return refused({ code: 'session_closed', message: 'The session is closed.' })
        return task(turn).catch((error: unknown) => refused(refusalOf(error)))
      }),
    handle: (intent, by, looked = notLooked) =>
      serial.run(() =>
        take(intent, by, looked).catch((error: unknown) => refused(refusalOf(error))),
      ),
    report: (report) =>
      new Promise((done) => {
        if (isStopped) return done(true)
        backlog.push({ report, done })
        tryAgain()
      }),
    async stop() {
      isStopped = true
      if (retry) clearTimeout(retry)
      await serial.idle()
      for (const { done } of backlog.splice(0)) done(true)
    },
  }
}
