import { createContext, useContext } from 'react'
import type { Client } from '../../client/connect.ts'
import type { Socket } from '../../client/socket.ts'
import type { Outbox } from './outbox.ts'
import type { SessionList } from './session-list.ts'

/** What every part of the page can reach. */
export interface Page {
  client: Client
  /** The tab's one WebSocket: events and terminals. */
  socket: Socket
  sessions: SessionList
  outbox: Outbox
  /** The server no longer takes our token. */
  lock(): void
}

export const PageContext = createContext<Page | null>(null)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (page === null) throw new Error('a component stands outside of the page')
  return page
}
