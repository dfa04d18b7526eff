import { useEffect, useRef, useState } from 'react'
import type { Access } from '../client/wire/access.ts'
import { createSocket, ticketFrom } from '../client/socket/socket.ts'
import { LockedPage, type LockReason } from './access/locked-page.tsx'
import { openClient } from './access/open-client.ts'
import { findAccess, hasSecret } from './access/sign-in.ts'
import { Workbench } from './layout/workbench.tsx'
import { createOutbox } from '../client/session/outbox.ts'
import { createRunOutputs } from '../client/session/run-output.ts'
import { openSessions } from '../client/sessions.ts'
import { PageContext, type Page } from './state/page.ts'
import { browserKeep } from './state/settings.ts'
import { complain } from './state/toasts.ts'

type Lock =
  | { phase: 'looking' }
  | { phase: 'open'; access: Access }
  | { phase: 'locked'; reason: LockReason }

/** A pass that opens nothing so soon after it was given is no accident when it happens again. */
const soonMs = 10_000
const mostRefused = 2

/** The page behind its lock. */
export function App() {
  const [lock, setLock] = useState<Lock>({ phase: 'looking' })
  const trials = useRef({ openedAt: -Infinity, refused: 0 })
  useEffect(() => {
    if (lock.phase !== 'looking') return
    void findAccess().then((found) => {
      if (!('access' in found)) return setLock({ phase: 'locked', reason: found.problem })
      trials.current.openedAt = performance.now()
      setLock({ phase: 'open', access: found.access })
    })
  }, [lock.phase])
  useEffect(() => {
    // A start address pasted over this page: what it opens is kept, and its secret used up.
    const onHash = () => {
      if (!hasSecret()) return
      if (lock.phase === 'locked') setLock({ phase: 'looking' })
      else void findAccess()
    }
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [lock.phase])

  /** Looked at once more: only that tells a stranger from a server that signed us out. */
  function lookAgain(): void {
    const { openedAt, refused } = trials.current
    const isSoon = performance.now() - openedAt < soonMs
    trials.current.refused = isSoon ? refused + 1 : 0
    setLock(
      trials.current.refused < mostRefused
        ? { phase: 'looking' }
        : { phase: 'locked', reason: 'refused' },
    )
  }

  if (lock.phase === 'looking') return null
  if (lock.phase === 'locked')
    return <LockedPage reason={lock.reason} onRetry={() => setLock({ phase: 'looking' })} />
  return <OpenPage access={lock.access} onLock={lookAgain} />
}

/** Everything that signing in opens; closed with it. */
function OpenPage({ access, onLock }: { access: Access; onLock: () => void }) {
  const [page, setPage] = useState<Page | null>(null)
  const lock = useRef(onLock)
  lock.current = onLock
  useEffect(() => {
    const opened = openPage(access, () => lock.current())
    setPage(opened.page)
    return opened.close
  }, [access])
  if (page === null) return null
  return (
    <PageContext value={page}>
      <Workbench />
    </PageContext>
  )
}

function openPage(access: Access, lock: () => void): { page: Page; close: () => void } {
  const client = openClient(access)
  const socket = createSocket({ url: location.origin, ticket: ticketFrom(client) })
  const unsubscribe = socket.subscribe(() => {
    const state = socket.getState()
    // The next program to answer at this address may be another one.
    if (state === 'reconnecting') access.doubt()
    if (state === 'unauthorized') lock()
  })
  const sessions = openSessions({ call: client.call, onLocked: lock, onRefused: complain })
  const outbox = createOutbox({
    call: client.call,
    keep: browserKeep,
    newKey: () => crypto.randomUUID(),
    now: () => Date.now(),
    onLocked: lock,
  })
  const leaving = new AbortController()
  const { signal } = leaving
  const retry = () => document.hidden || socket.retry()
  addEventListener('online', retry, { signal })
  addEventListener('online', outbox.retry, { signal })
  addEventListener('storage', ({ key }) => key !== null && outbox.changedElsewhere(key), { signal })
  addEventListener('pagehide', sessions.close, { signal })
  document.addEventListener('visibilitychange', retry, { signal })
  return {
    page: { client, socket, sessions, outbox, outputs: createRunOutputs(client), lock },
    close() {
      leaving.abort()
      outbox.close()
      sessions.close()
      unsubscribe()
      socket.close()
    },
  }
}
