import type { Client } from '../../client/connect.ts'
import { refusalOf } from '../../client/client-error.ts'
import { routes } from '../../protocol/routes.ts'
import type { SessionId } from '../../protocol/seq.ts'
import type { SessionSummary } from '../../protocol/session-view.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { createStore, type Store } from './store.ts'
import { complain } from './toasts.ts'

export interface SessionList {
  /** Null until the server has answered once. */
  sessions: Store<readonly SessionSummary[] | null>
  /** Deleted, but not for good yet. */
  leaving: Store<SessionSummary | null>
  refresh(): Promise<void>
  create(workspace: string): Promise<SessionId>
  rename(id: SessionId, title: string): Promise<void>
  remove(session: SessionSummary): void
  undo(): void
  /** What was deleted is now, also for good: nobody is there any more to take it back. */
  finish(): void
}

/** Time to notice that it was the wrong one. */
const undoMs = 8_000

export function createSessionList(client: Client, lock: () => void): SessionList {
  const sessions = createStore<readonly SessionSummary[] | null>(null)
  const leaving = createStore<SessionSummary | null>(null)
  /** The server was told to delete these; an answer from before that does not bring them back. */
  const gone = new Set<SessionId>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const show = (found: readonly SessionSummary[]) =>
    sessions.set(found.filter(({ id }) => !gone.has(id)))

  const refresh = oneAtATime(async () => {
    try {
      show((await client.call(routes.sessions, { query: { limit: 500 } })).sessions)
    } catch (error) {
      if (refusalOf(error)?.code === 'unauthorized') lock()
    }
  })

  async function drop(id: SessionId): Promise<void> {
    gone.add(id)
    show(sessions.get() ?? [])
    try {
      await client.call(routes.deleteSession, { params: { id } })
    } catch (error) {
      gone.delete(id)
      complain(error)
    }
    await refresh()
  }

  function finish(): void {
    clearTimeout(timer)
    const last = leaving.get()
    if (last === null) return
    void drop(last.id)
    leaving.set(null)
  }

  return {
    sessions,
    leaving,
    refresh,
    async create(workspace) {
      const { id } = await client.call(routes.createSession, { body: { workspace } })
      await refresh()
      return id
    },
    async rename(id, title) {
      await client.call(routes.updateSession, { params: { id }, body: { title } })
      await refresh()
    },
    remove(session) {
      // One at a time can be taken back: the one before is deleted now.
      finish()
      leaving.set(session)
      timer = setTimeout(finish, undoMs)
    },
    undo() {
      clearTimeout(timer)
      leaving.set(null)
    },
    finish,
  }
}
