import { beginAfter } from '../client/begin-after.ts'
import { refusalOf } from '../client/client-error.ts'
import { connect } from '../client/connect.ts'
import { createFeed, type Feed } from '../client/feed.ts'
import { createHistory } from '../client/history.ts'
import { routes } from '../protocol/routes.ts'
import { chatStateOf, errorOf, noChat } from './chat-state.ts'
import type { ChatActions, ChatOptions, ChatState } from './chat-types.ts'
import { nextFrame } from './next-frame.ts'

/** A chat that is connected as long as somebody listens. */
export interface ChatStore extends ChatActions {
  getSnapshot(): ChatState
  subscribe(listener: () => void): () => void
}

/** There was nothing to stop any more. */
const tooLate = ['no_turn', 'no_run']

export function createChat({ url, token, workspace, ...options }: ChatOptions): ChatStore {
  const client = connect({
    url,
    token,
    fetch: (input, init) => fetch(input, init),
    name: 'react',
    newKey: () => crypto.randomUUID(),
  })
  const listeners = new Set<() => void>()
  let session = options.session ?? null
  /** What was cleared: the next session goes on in its terminal. */
  let cleared: string | null = null
  /** Its beginning, so that two messages at once share one session. */
  let opening: Promise<string> | null = null
  let feed: Feed | null = null
  let sending = 0
  /** The last event that was caused from here: until it shows, something is under way. */
  let caused = 0
  let failure: Error | null = null
  let state: ChatState = session === null ? noChat : { ...noChat, session }
  let cancelFrame: (() => void) | null = null

  function look(): void {
    const snapshot = feed?.getSnapshot()
    if (session === null || snapshot === undefined) {
      const status = failure !== null ? 'error' : sending > 0 ? 'streaming' : 'ready'
      state = { ...noChat, session, status, error: failure }
    } else {
      const isSending = sending > 0 || snapshot.view.state.head < caused
      state = chatStateOf(snapshot, { session, isSending, failure })
    }
    for (const listener of listeners) listener()
  }

  function open(): void {
    if (session === null || feed !== null || listeners.size === 0) return
    feed = createFeed(client, { session, history: createHistory(client, session) })
    feed.subscribe(() => {
      cancelFrame ??= nextFrame(() => {
        cancelFrame = null
        look()
      })
    })
  }

  function hangUp(): void {
    cancelFrame?.()
    cancelFrame = null
    feed?.close()
    feed = null
  }

  function fail(error: unknown): void {
    if (tooLate.includes(refusalOf(error)?.code ?? '')) return
    failure = errorOf(error)
    look()
  }

  async function start(): Promise<string> {
    if (cleared !== null) {
      const next = await beginAfter(client, cleared).catch(unlessGone)
      cleared = null
      if (next !== null) return next.id
    }
    const folder = workspace ?? (await client.call(routes.health, {})).folder
    if (folder === undefined)
      throw new Error('name a workspace: the server has no folder of its own')
    const { id } = await client.call(routes.createSession, { body: { workspace: folder } })
    return id
  }

  /** The session that a message goes to; whoever cleared meanwhile is no longer interested. */
  async function begin(): Promise<string> {
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
  }

  function stop(): void {
    const id = session
    const open = feed?.getSnapshot().view.state
    if (id === null || open === undefined) return
    const params = { id }
    const asked =
      open.turn === null && open.runs.length > 0
        ? client.call(routes.interrupt, { params, body: { signal: 'int' } })
        : client.call(routes.abort, { params, body: {} })
    asked.catch(fail)
  }

  return {
    getSnapshot: () => state,
    subscribe(listener) {
      listeners.add(listener)
      open()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) hangUp()
      }
    },
    async sendMessage(content) {
      failure = null
      sending += 1
      look()
      try {
        const id = await begin()
        if (id !== session) return false
        const { head } = await client.send(id, { text: content })
        if (id === session) caused = head
        return true
      } catch (error) {
        failure = errorOf(error)
        return false
      } finally {
        sending -= 1
        look()
      }
    },
    clearMessages() {
      if (state.status === 'streaming') stop()
      hangUp()
      cleared = session ?? cleared
      session = opening = failure = null
      caused = 0
      look()
    },
    stop,
    answer(ask, outcome, details = {}) {
      if (session === null) return
      const body = { ask, outcome, ...details }
      client.call(routes.answer, { params: { id: session }, body }).catch(fail)
    },
    loadOlder: () => void feed?.loadOlder(),
  }
}

/** A session that was deleted meanwhile has nothing to give. */
function unlessGone(error: unknown): null {
  if (refusalOf(error)?.code === 'not_found') return null
  throw error
}
