import { everyFrame, nextFrame } from '../client/frame-rate.ts'
import { readHealth } from '../client/server.ts'
import { createFeed, type Feed } from '../client/session/feed.ts'
import { createHistory } from '../client/session/history.ts'
import { beginAfter, createSession } from '../client/sessions.ts'
import { refusalOf } from '../client/wire/client-error.ts'
import type { Client } from '../client/wire/connect.ts'

interface TalkOptions {
  client: Client
  workspace: string | undefined
  session: string | null
  onChange: () => void
}

/** The session that a chat talks in, which begins with the first message and can be left for another. */
export function createTalk({ client, workspace, onChange, ...options }: TalkOptions) {
  let { session } = options
  /** The session that was cleared: the next one goes on in its terminal. */
  let cleared: string | null = null
  /** Its beginning, so that two messages at once share one session. */
  let opening: Promise<string> | null = null
  let feed: Feed | null = null
  let isHeard = false
  const pictures = everyFrame(nextFrame, onChange)

  function open(): void {
    if (session === null || feed !== null || !isHeard) return
    feed = createFeed(client, { session, history: createHistory(client, session) })
    feed.subscribe(pictures.due)
  }

  function close(): void {
    pictures.cancel()
    feed?.close()
    feed = null
  }

  async function start(): Promise<string> {
    if (cleared !== null) {
      const next = await beginAfter(client, cleared).catch(unlessGone)
      cleared = null
      if (next !== null) return next.id
    }
    const folder = workspace ?? (await readHealth(client)).folder
    if (folder === undefined)
      throw new Error('name a workspace: the server has no folder of its own')
    return (await createSession(client, folder)).id
  }

  return {
    session: () => session,
    /** Null while nobody listens. */
    snapshot: () => feed?.getSnapshot() ?? null,
    /** The session that a message goes to; whoever cleared meanwhile is no longer interested. */
    async begin(): Promise<string> {
      if (session !== null) return session
      const mine = (opening ??= start())
      try {
        const id = await mine
        if (opening === mine) {
          session = id
          open()
        }
        return id
      } finally {
        if (opening === mine) opening = null
      }
    },
    /** Leaves the session; the next one goes on in its terminal. */
    clear(): void {
      close()
      cleared = session ?? cleared
      session = opening = null
    },
    listen(): void {
      isHeard = true
      open()
    },
    hangUp(): void {
      isHeard = false
      close()
    },
    loadOlder: () => void feed?.loadOlder(),
  }
}

/** A session that was deleted meanwhile has nothing to give. */
function unlessGone(error: unknown): null {
  if (refusalOf(error)?.code === 'not_found') return null
  throw error
}
