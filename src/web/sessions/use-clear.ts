import { useCallback } from 'react'
import type { SessionId } from '../../protocol/events/seq.ts'
import { usePage, goTo } from '../state/page.ts'
import { complain } from '../state/toasts.ts'

/** Goes to a new session in the same folder that goes on in the same terminal; the old one stays listed. */
export function useClear(session: SessionId): () => Promise<void> {
  const { sessions } = usePage()
  return useCallback(async () => {
    const next = await sessions.createAfter(session)
    goTo(next.id)
    if (next.isLeft) complain(left)
  }, [sessions, session])
}

const left =
  'The terminal is in use: it goes on in the session before this one. A new shell starts here.'
