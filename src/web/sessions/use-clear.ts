import { useCallback } from 'react'
import { beginAfter } from '../../client/begin-after.ts'
import { usePage } from '../state/page.ts'
import { goTo } from '../state/place.ts'
import { useSession } from '../state/session.ts'
import { complain } from '../state/toasts.ts'

/** A new session in the same folder that goes on in the same terminal; the old one stays listed. */
export function useClear(): () => Promise<void> {
  const { client, sessions } = usePage()
  const { id } = useSession()
  return useCallback(async () => {
    const next = await beginAfter(client, id)
    await sessions.refresh()
    goTo(next.id)
    if (next.isLeft) complain(left)
  }, [client, sessions, id])
}

const left =
  'The terminal is in use: it goes on in the session before this one. A new shell starts here.'
