import { routes } from '../protocol/http/routes.ts'
import type { Head, Seq, SessionId } from '../protocol/events/seq.ts'
import type { LogDamage, SessionSummary } from '../protocol/http/session-view.ts'
import type { View } from '../view/fold/view.ts'
import { awaitsPerson } from '../view/status.ts'
import { createStore, oneAtATime, type Store } from './store.ts'
import type { Calls } from './wire/call.ts'
import { isLockedOut, refusalOf } from './wire/client-error.ts'

export interface Begun {
  id: SessionId
  /** The terminal is in use, and stays with the session before. */
  isLeft: boolean
}

/** Refusals that are no reason not to begin: the terminal stays where it is. */
const stays = ['terminal_busy', 'taken']

/** Begins a session in the folder of another one, which stays; its terminal comes along if nothing runs in it. */
export async function beginAfter({ call }: Calls, before: SessionId): Promise<Begun> {
  const { workspace, team, shell } = await call(routes.session, { params: { id: before } })
  const begin = async (terminal = {}) =>
    (await call(routes.createSession, { body: { workspace, team, ...terminal } })).id
  if (shell === null) return { id: await begin(), isLeft: false }
  try {
    return { id: await begin({ terminalFrom: before }), isLeft: false }
  } catch (error) {
    if (!stays.includes(refusalOf(error)?.code ?? '')) throw error
    return { id: await begin(), isLeft: true }
  }
}

/** Sessions as the server lists them, newest first. */
export async function listSessions(
  { call }: Calls,
  query: { workspace?: string; limit?: number } = {},
): Promise<readonly SessionSummary[]> {
  return (await call(routes.sessions, { query })).sessions
}

/** The same, and the damage to the log that the server found, if any. */
export async function listWithDamage({ call }: Calls, query: { limit?: number } = {}) {
  const { sessions, damage = null } = await call(routes.sessions, { query })
  return { sessions, damage }
}

export const createSession = ({ call }: Calls, workspace: string) =>
  call(routes.createSession, { body: { workspace } })

/** Every session, as a UI with a list of them needs it. */
export interface Sessions {
  /** Null until the server has answered once. */
  list: Store<readonly SessionSummary[] | null>
  /** Damage to the log that the server found, in words. */
  damage: Store<LogDamage | null>
  /** Deleted, but not for good yet. */
  leaving: Store<SessionSummary | null>
  /**
   * How many need the person, of those that were open here and have not changed since: a question or a program
   * waits, or a turn failed that nobody has seen.
   */
  needs: Store<number>
  /** Somebody looks at it: a failed turn is no news any more. */
  saw(id: SessionId): void
  refresh(): Promise<void>
  create(workspace: string): Promise<SessionId>
  /** A new one in the same folder that goes on in the same terminal; the old one stays listed. */
  createAfter(before: SessionId): Promise<Begun>
  rename(id: SessionId, title: string): Promise<void>
  remove(session: SessionSummary): void
  undo(): void
  /** The last workspace, or the folder where the server started; null when there is neither. */
  firstFolder(): Promise<string | null>
  /** Asks for the list again when the open session has become another than it says. */
  follow(id: SessionId, view: View): void
  /** Makes the last deletion final: nobody is there any more to take it back. */
  close(): void
}

export interface SessionsDeps extends Calls {
  /** The server no longer takes our token. */
  onLocked: () => void
  /** A deletion did not happen. */
  onRefused: (error: unknown) => void
}

/** Time to notice that it was the wrong one. */
const undoMs = 8_000
const listed = 500

export function openSessions(deps: SessionsDeps): Sessions {
  const { call } = deps
  const list = createStore<readonly SessionSummary[] | null>(null)
  const damage = createStore<LogDamage | null>(null)
  /** The server was told to delete these; an answer from before that does not bring them back. */
  const gone = new Set<SessionId>()

  const show = (found: readonly SessionSummary[]) =>
    list.set(found.filter(({ id }) => !gone.has(id)))
  const follow = createFollow(list, () => void refresh())
  const need = createNeed(list)

  const refresh = oneAtATime(async () => {
    try {
      const found = await listWithDamage(deps, { limit: listed })
      show(found.sessions)
      damage.set(found.damage)
    } catch (error) {
      if (isLockedOut(error)) deps.onLocked()
    }
  })

  async function drop(id: SessionId): Promise<void> {
    gone.add(id)
    show(list.get() ?? [])
    try {
      await call(routes.deleteSession, { params: { id } })
    } catch (error) {
      gone.delete(id)
      deps.onRefused(error)
    }
    await refresh()
  }

  return {
    list,
    damage,
    refresh,
    async create(workspace) {
      const { id } = await createSession(deps, workspace)
      await refresh()
      return id
    },
    async createAfter(before) {
      const begun = await beginAfter(deps, before)
      await refresh()
      return begun
    },
    async rename(id, title) {
      await call(routes.updateSession, { params: { id }, body: { title } })
      await refresh()
    },
    ...createRemoval((id) => void drop(id)),
    async firstFolder() {
      const [newest] = list.get() ?? []
      return newest?.workspace ?? (await call(routes.health, {})).folder ?? null
    },
    needs: need.count,
    saw: need.saw,
    follow(id, view) {
      need.follow(id, view)
      follow(id, view)
    },
  }
}

/** A deletion that can be taken back for a while, one at a time. */
function createRemoval(
  drop: (id: SessionId) => void,
): Pick<Sessions, 'leaving' | 'remove' | 'undo' | 'close'> {
  const leaving = createStore<SessionSummary | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined

  function close(): void {
    clearTimeout(timer)
    const last = leaving.get()
    if (last === null) return
    drop(last.id)
    leaving.set(null)
  }

  return {
    leaving,
    remove(session) {
      // The one before is deleted now.
      close()
      leaving.set(session)
      timer = setTimeout(close, undoMs)
    },
    undo() {
      clearTimeout(timer)
      leaving.set(null)
    },
    close,
  }
}

/** Counts the sessions that need the person, as they were when they were last seen here. */
function createNeed(list: Sessions['list']) {
  const count = createStore(0)
  const known = new Map<SessionId, { head: Head; awaits: boolean; failed: Seq | null }>()
  /** The last failed turn that somebody has seen. */
  const seen = new Map<SessionId, Seq>()

  function tell(): void {
    const needed = (list.get() ?? []).filter(({ id, head }) => {
      const last = known.get(id)
      // Listed further on: what it needed may have been done elsewhere.
      if (!last || head > last.head) return false
      return last.awaits || (last.failed !== null && last.failed !== seen.get(id))
    })
    count.set(needed.length)
  }

  list.subscribe(tell)
  return {
    count,
    follow(id: SessionId, view: View): void {
      const { state, lastTurn } = view
      const failed = lastTurn?.reason === 'failed' && state.turn === null ? lastTurn.turn : null
      known.set(id, { head: state.head, awaits: awaitsPerson(view), failed })
      tell()
    },
    saw(id: SessionId): void {
      const failed = known.get(id)?.failed ?? null
      if (failed !== null) seen.set(id, failed)
      tell()
    },
  }
}

/**
 * The list is asked for again at a first prompt, a title, the end of a turn, a new shell. Opening a
 * session changes nothing, so it asks for nothing.
 */
function createFollow(list: Sessions['list'], refresh: () => void): Sessions['follow'] {
  let before: { id: SessionId; doing: string; missed: string | null } | null = null
  return (id, view) => {
    const last = before?.id === id ? before : null
    const { turn, shell, title } = view.state
    const doing = `${turn === null ? 'idle' : 'turn'} ${shell.phase}`
    const all = list.get()
    const known = all?.find((each) => each.id === id)
    const missed = all !== null && isBehind(known, view) ? `behind ${title}` : null
    before = { id, doing, missed }
    const hasTurned = last !== null && last.doing !== doing
    if (hasTurned || (missed !== null && missed !== last?.missed)) refresh()
  }
}

function isBehind(known: SessionSummary | undefined, { state, entries }: View): boolean {
  if (known === undefined || known.title !== state.title) return true
  if (known.title !== null || known.preview !== null) return false
  return (entries.chunks[0] ?? []).some(({ kind }) => kind === 'prompt' || kind === 'run')
}
