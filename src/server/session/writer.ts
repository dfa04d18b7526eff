import { createSerial } from './serial.ts'
import type { By } from '../../protocol/events/event-base.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { Intent } from '../../protocol/http/intent.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import type { IntentKey } from '../../protocol/events/seq.ts'
import type { Accepted } from '../../protocol/http/session-view.ts'
import { evolve } from '../../log/evolve.ts'
import type { SessionState } from '../../log/state.ts'
import { type Envelope, system } from '../../session/append.ts'
import type { Catalogue } from '../../session/catalogue.ts'
import { decide, type Decision } from '../../session/decide/decide.ts'
import { record } from '../../session/record/record.ts'
import type { Report } from '../../session/record/report.ts'
import type { Batch } from './commit.ts'
import { bodyHash } from '../store/blob-hash.ts'
import { refusalOf, StoreError } from '../store/store-error.ts'
import type { UsedKey } from '../store/store.ts'

export interface WriterDeps {
  state: SessionState
  catalogue(state: SessionState): Catalogue
  /** Stores and publishes; rejects with a StoreError and has then changed nothing. */
  commit(batch: Batch): Promise<void>
  findKey(key: IntentKey): Promise<UsedKey | null>
  /** The state moved on: what should be under way may be something else now. */
  onState(state: SessionState): void
  onSignal(signal: NonNullable<Decision['signal']>): void
  onDriver(driver: NonNullable<Decision['driver']>): void
  onKeep(): void
  /** A report cannot be stored, and waits: said once, until it could. */
  onFull(state: SessionState): void
  diagnose(message: string, error: unknown): void
  clock(): number
  uuid(): string
}

/** Findings for an intent from before it was queued: nothing foreign is awaited in the queue. */
export interface Looked {
  /** The end of the terminal's byte log then. */
  ptyAt: number
  /** Makes what was found of the world count from here on. */
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

/** The steps of a task during which nothing else is taken. */
export interface Turn {
  /** Takes in the reports that came meanwhile. */
  drain(): Promise<void>
  envelope<Body>(body: Body): Envelope<Body>
  commit(events: readonly Event[], extra?: Pick<Batch, 'begins'>): Promise<void>
  /** Takes a report in, together with the beginning of another session. */
  tell(report: Report, extra: Pick<Batch, 'begins'>): Promise<void>
}

const notLooked: Looked = { ptyAt: 0, ready: () => undefined }

/** A repeat is answered as the first was; another body under the same key is a client's mistake, and nothing is done. */
function answerAgain(
  { first, head, body: known }: UsedKey,
  body: string | undefined,
): Result<Accepted, Refusal> {
  if (known !== null && known !== body) return refused(keyReused)
  return ok({ first, head })
}

const keyReused: Refusal = {
  code: 'key_reused',
  message: 'This key belongs to something else that was asked of the session. Take a new one.',
}

const closed: Refusal = { code: 'session_closed', message: 'The session is closed.' }

export function createWriter(deps: WriterDeps): Writer {
  const serial = createSerial()
  const reports = createBacklog({
    take: (report) => tell(report),
    inQueue: (drain) => serial.run(drain),
    onFull: () => deps.onFull(state),
    diagnose: deps.diagnose,
  })
  let state = deps.state
  let isStopped = false

  function envelope<Body>(body: Body, by: By): Envelope<Body> {
    return { at: deps.clock(), uuid: deps.uuid(), by, body }
  }

  async function commit(
    events: readonly Event[],
    extra: Pick<Batch, 'key' | 'body' | 'begins'> = {},
  ): Promise<void> {
    if (events.length === 0) return
    await deps.commit({ before: state, events, ...extra })
    state = events.reduce(evolve, state)
    deps.onState(state)
  }

  function tell(report: Report, extra: Pick<Batch, 'begins'> = {}): Promise<void> {
    return commit(record(state, envelope(report, system), deps.catalogue(state)), extra)
  }

  async function take(intent: Intent, by: By, looked: Looked): Promise<Result<Accepted, Refusal>> {
    if (isStopped) return refused(closed)
    await reports.drain()
    const key = 'key' in intent ? intent.key : undefined
    const body = key === undefined ? undefined : bodyHash(intent)
    const earlier = key === undefined ? null : await deps.findKey(key)
    if (earlier !== null) return answerAgain(earlier, body)
    looked.ready()
    const asked = { ...envelope(intent, by), ptyAt: looked.ptyAt }
    const decision = decide(state, asked, deps.catalogue(state))
    if (!decision.ok) return decision
    const { events, signal, driver, keep } = decision.value
    await commit(events, { key, body })
    if (signal) deps.onSignal(signal)
    if (driver) deps.onDriver(driver)
    if (keep) deps.onKeep()
    return ok({ first: events[0]?.seq ?? null, head: state.head })
  }

  const turn: Turn = {
    drain: reports.drain,
    commit,
    envelope: (body) => envelope(body, system),
    tell,
  }

  return {
    state: () => state,
    inTurn: (task) =>
      serial.run(async () => {
        if (isStopped) return refused(closed)
        return task(turn).catch((error: unknown) => refused(refusalOf(error)))
      }),
    handle: (intent, by, looked = notLooked) =>
      serial.run(() =>
        take(intent, by, looked).catch((error: unknown) => refused(refusalOf(error))),
      ),
    report: reports.add,
    async stop() {
      isStopped = true
      reports.stop()
      await serial.idle()
      reports.clear()
    },
  }
}

interface BacklogDeps {
  take(report: Report): Promise<void>
  inQueue(drain: () => Promise<void>): Promise<void>
  onFull(): void
  diagnose(message: string, error: unknown): void
}

/** How long a report waits before it is tried again on a store that would not take it. */
const retryMs = 500

/** Reports in the order they came. One that the store will not take yet holds up the rest. */
function createBacklog({ take, inQueue, onFull, diagnose }: BacklogDeps) {
  const waiting: { report: Report; done: (isRecorded: boolean) => void }[] = []
  let isStopped = false
  let retry: NodeJS.Timeout | null = null
  let isFull = false

  /** Has all of them taken; throws when the store takes nothing now. */
  async function drain(): Promise<void> {
    for (let next = waiting[0]; next; next = waiting[0]) {
      if (isStopped) return
      const isRecorded = await isTaken(next.report)
      isFull = false
      waiting.shift()
      next.done(isRecorded)
    }
  }

  /** False of one that can never be recorded. */
  async function isTaken(report: Report): Promise<boolean> {
    try {
      await take(report)
      return true
    } catch (error) {
      if (error instanceof StoreError) {
        retry ??= setTimeout(tryAgain, retryMs)
        if (!isFull && error.code === 'disk_full') onFull()
        isFull = error.code === 'disk_full'
        throw error
      }
      diagnose(`a ${report.type} report could not be recorded`, error)
      return false
    }
  }

  function tryAgain(): void {
    if (retry) clearTimeout(retry)
    retry = null
    inQueue(drain).catch((error: unknown) => diagnose('reports are waiting', error))
  }

  return {
    add: (report: Report) =>
      new Promise<boolean>((done) => {
        if (isStopped) return done(true)
        waiting.push({ report, done })
        tryAgain()
      }),
    drain,
    stop(): void {
      isStopped = true
      if (retry) clearTimeout(retry)
    },
    /** Lets those go who wait for what is left. */
    clear(): void {
      for (const { done } of waiting.splice(0)) done(true)
    },
  }
}
