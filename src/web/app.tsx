import { useEffect, useRef, useState } from 'react'
import { createSocket, ticketFrom } from '../client/socket.ts'
import { LockedPage, type LockReason } from './access/locked-page.tsx'
import { openClient } from './access/open-client.ts'
import { answerSiblings } from './access/siblings.ts'
import { findToken, forgetToken, hasSecret, storedToken } from './access/token.ts'
import { Workbench } from './layout/workbench.tsx'
import { createOutbox } from './state/outbox.ts'
import { PageContext, type Page } from './state/page.ts'
import { createSessionList } from './state/session-list.ts'

type Access =
  | { phase: 'looking' }
  | { phase: 'open'; token: string }
  | { phase: 'locked'; reason: LockReason }

/** The page behind its lock. */
export function App() {
  const [access, setAccess] = useState<Access>({ phase: 'looking' })
  useEffect(() => {
    if (access.phase !== 'looking') return
    void findToken().then((found) =>
      setAccess(
        'token' in found
          ? { phase: 'open', token: found.token }
          : { phase: 'locked', reason: found.problem },
      ),
    )
  }, [access.phase])
  useEffect(() => answerSiblings(storedToken), [])
  useEffect(() => {
    // A start address pasted over this page: what it opens is kept, and its secret used up.
    const onHash = () => {
      if (!hasSecret()) return
      if (access.phase === 'locked') setAccess({ phase: 'looking' })
      else void findToken()
    }
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [access.phase])

  if (access.phase === 'looking') return null
  if (access.phase === 'locked')
    return <LockedPage reason={access.reason} onRetry={() => setAccess({ phase: 'looking' })} />
  return (
    <OpenPage
      key={access.token}
      token={access.token}
      onLock={() => {
        forgetToken()
        setAccess({ phase: 'locked', reason: 'revoked' })
      }}
    />
  )
}

/** Everything that a token opens; closed with it. */
function OpenPage({ token, onLock }: { token: string; onLock: () => void }) {
  const [page, setPage] = useState<Page | null>(null)
  const lock = useRef(onLock)
  lock.current = onLock
  useEffect(() => {
    const opened = openPage(token, () => lock.current())
    setPage(opened.page)
    return opened.close
  }, [token])
  if (page === null) return null
  return (
    <PageContext value={page}>
      <Workbench />
    </PageContext>
  )
}

function openPage(token: string, lock: () => void): { page: Page; close: () => void } {
  const client = openClient(token)
  const socket = createSocket({ url: location.origin, ticket: ticketFrom(client) })
  const unsubscribe = socket.subscribe(() => socket.getState() === 'unauthorized' && lock())
  const retry = () => document.hidden || socket.retry()
  const sessions = createSessionList(client, lock)
  const outbox = createOutbox(client, lock)
  addEventListener('online', retry)
  addEventListener('pagehide', sessions.finish)
  document.addEventListener('visibilitychange', retry)
  return {
    page: { client, socket, sessions, outbox, lock },
    close() {
      outbox.close()
      sessions.finish()
      removeEventListener('pagehide', sessions.finish)
      removeEventListener('online', retry)
      document.removeEventListener('visibilitychange', retry)
      unsubscribe()
      socket.close()
    },
  }
}
