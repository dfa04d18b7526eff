import { useCallback } from 'react'
import { routes } from '../../protocol/routes.ts'
import { usePage } from '../state/page.ts'

/** Where a new session belongs when nobody says: the last workspace, or where the server started. */
export function useFirstFolder(): () => Promise<string | null> {
  const { client, sessions } = usePage()
  return useCallback(async () => {
    const [newest] = sessions.sessions.get() ?? []
    if (newest) return newest.workspace
    const health = await client.call(routes.health, {})
    return health.folder ?? null
  }, [client, sessions])
}
