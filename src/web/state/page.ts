import { createContext, useContext } from 'react'
import type { Outbox } from '../../client/session/outbox.ts'
import type { createRunOutputs } from '../../client/session/run-output.ts'
import type { Sessions } from '../../client/sessions.ts'
import type { Socket } from '../../client/socket/socket.ts'
import type { Caller } from '../../client/wire/call.ts'
import { SessionId } from '../../protocol/events/seq.ts'
import { createStore } from '../../client/store.ts'

/** The parts of the client that every part of the page can reach. */
export interface Page {
  client: Caller
  /** The tab's one WebSocket: events and terminals. */
  socket: Socket
  sessions: Sessions
  outbox: Outbox
  outputs: ReturnType<typeof createRunOutputs>
  /** The server no longer takes our token. */
  lock(): void
}

export const PageContext = createContext<Page | null>(null)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (page === null) throw new Error('a component stands outside of the page')
  return page
}

/** The open session is in the address, so that a reload and a link lead back to it. */
function read(): SessionId | null {
  const id = SessionId.safeParse(new URLSearchParams(location.hash.slice(1)).get('session'))
  return id.success ? id.data : null
}

export const place = createStore(read())

addEventListener('hashchange', () => place.set(read()))

export function goTo(session: SessionId | null): void {
  const hash = session === null ? '' : `#session=${session}`
  if (location.hash !== hash) history.pushState(null, '', location.pathname + hash)
  place.set(session)
}

addEventListener('popstate', () => place.set(read()))
