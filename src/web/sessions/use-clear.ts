import { useCallback } from 'react'
import { routes } from '../../protocol/routes.ts'
import { usePage } from '../state/page.ts'
import { goTo } from '../state/place.ts'
import { useSession } from '../state/session.ts'

/** A new session in the same folder; the old one stays listed. */
export function useClear(): () => Promise<void> {
  const { client, sessions } = usePage()
  const { id } = useSession()
  return useCallback(async () => {
    const { workspace } = await client.call(routes.session, { params: { id } })
    goTo(await sessions.create(workspace))
  }, [client, sessions, id])
}
