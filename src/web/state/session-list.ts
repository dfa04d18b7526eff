import type { Client } from '../../client/connect.ts'
import { refusalOf } from '../../client/client-error.ts'
import { routes } from '../../protocol/routes.ts'
import type { SessionId } from '../../protocol/seq.ts'
import type { SessionSummary } from '../../protocol/session-view.ts'
import { createStore, type Store } from './store.ts'

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
}

/** Time to notice that it was the wrong one. */
const undoMs = 8_000

export function createSessionList(client: Client, lock: () => void): SessionList {
  const sessions = createStore<readonly SessionSummary[] | null>(null)
  const leaving = createStore<SessionSummary | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined

  async function refresh(): Promise<void> {
    try {
      const answer = await client.call(routes.sessions, { query: { limit: 500 } })
      sessions.set(answer.sessions)
    } catch (error) {
      if (refusalOf(error)?.code === 'unauthorized') lock()
    }
  }

  async function finish(): Promise<void> {
    clearTimeout(timer)
    const gone = leaving.get()
    if (gone === null) return
    leaving.set(null)
    await client.call(routes.deleteSession, { params: { id: gone.id } }).catch(() => undefined)
    await refresh()
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
      void finish().then(() => {
        leaving.set(session)
        timer = setTimeout(() => void finish(), undoMs)
      })
    },
    undo() {
      clearTimeout(timer)
      leaving.set(null)
    },
  }
}
