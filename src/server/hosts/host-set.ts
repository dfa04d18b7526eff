import type { Refusal } from '../../protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { OwnedHost, SessionHost } from '../session/host.ts'
import { StoreError } from '../store/store-error.ts'
import { within } from '../terminal/within.ts'

export interface HostSetDeps {
  /** Null when there is no such session. `leaving` aborts when nobody waits for it any more. */
  load(id: SessionId, leaving: AbortSignal): Promise<OwnedHost | null>
  /** So long a host stays that nobody uses; 0 = for ever. */
  idleMs: number
  diagnose(message: string, error: unknown): void
}

/** The hosts that are open. A host is opened when it is asked for, idle when nobody uses it, and then closed. */
export interface HostSet {
  /** Null when there is no such session, it is being deleted, or the server is ending. */
  own(id: SessionId): Promise<OwnedHost | null>
  /** For those who use a session; throws when it takes too long to open. */
  open(id: SessionId): Promise<Result<SessionHost, Refusal>>
  /** Only if it is open. */
  get(id: SessionId): OwnedHost | undefined
  isKnown(id: SessionId): boolean
  all(): readonly OwnedHost[]
  /** Nobody gets it any more; the answer takes that back. */
  mark(id: SessionId): () => void
  /** Closes it, before its time and whatever it does; its log and its next opening are as ever. */
  drop(id: SessionId): Promise<void>
  forget(id: SessionId): void
  /** Opens nothing more; what is being opened is given up. Resolves with those that are open. */
  end(): Promise<readonly OwnedHost[]>
}

/** How often it is looked who is idle, at most. */
const lookMs = 60_000
/** So long somebody waits for a session whose disk or holder does not answer. */
const patienceMs = 5_000
/** A session being opened when the server ends gives up at once, unless its disk hangs. */
const openingMs = 5_000

export function createHostSet({ load, idleMs, diagnose }: HostSetDeps): HostSet {
  const opening = new Map<SessionId, Promise<OwnedHost | null>>()
  const open = new Map<SessionId, OwnedHost>()
  const closing = new Map<SessionId, Promise<void>>()
  const deleted = new Set<SessionId>()
  const used = new Map<SessionId, number>()
  const leaving = new AbortController()
  const everyMs = Math.min(idleMs / 2, lookMs)
  const timer = idleMs === 0 ? undefined : setInterval(closeIdle, everyMs).unref()

  function own(id: SessionId): Promise<OwnedHost | null> {
    if (leaving.signal.aborted || deleted.has(id)) return Promise.resolve(null)
    used.set(id, performance.now())
    const known = open.get(id)
    if (known) return Promise.resolve(known)
    const loading = opening.get(id) ?? begin(id).finally(() => opening.delete(id))
    opening.set(id, loading)
    return loading
  }

  /** A log has one writer: the one before has to be gone. */
  async function begin(id: SessionId): Promise<OwnedHost | null> {
    await closing.get(id)
    const owned = await load(id, leaving.signal)
    if (owned === null) used.delete(id)
    else open.set(id, owned)
    return owned
  }

  function closeIdle(): void {
    for (const [id, owned] of open)
      if (!owned.isIdle()) used.set(id, performance.now())
      else if (performance.now() - (used.get(id) ?? 0) >= idleMs) void drop(id)
  }

  function drop(id: SessionId): Promise<void> {
    const owned = open.get(id)
    if (owned === undefined) return closing.get(id) ?? Promise.resolve()
    forget(id)
    const closed = owned
      .release('shutdown')
      .catch((error: unknown) => diagnose(`session ${id} could not be closed`, error))
      .finally(() => closing.delete(id))
    closing.set(id, closed)
    return closed
  }

  function forget(id: SessionId): void {
    open.delete(id)
    used.delete(id)
  }

  return {
    own,
    async open(id) {
      const owning = own(id)
      if (!open.has(id) && !(await within(patienceMs, owning)))
        throw new StoreError('store_busy', `session ${id} cannot be opened yet`)
      return found(id, await owning)
    },
    get: (id) => open.get(id),
    isKnown: (id) => open.has(id) || opening.has(id),
    all: () => [...open.values()],
    mark(id) {
      deleted.add(id)
      return () => deleted.delete(id)
    },
    drop,
    forget,
    async end() {
      clearInterval(timer)
      leaving.abort()
      await within(openingMs, Promise.allSettled([...opening.values(), ...closing.values()]))
      const left = [...open.values()]
      open.clear()
      return left
    },
  }
}

function found(id: SessionId, owned: OwnedHost | null): Result<SessionHost, Refusal> {
  if (owned) return ok(owned.host)
  return refused({ code: 'not_found', message: `there is no session ${id}` })
}
