import type { CommandInfo } from '../../protocol/http/completion.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { useLoaded } from '../state/use-store.ts'

/** Every command of the session, as it says itself. */
export function useCommands(): readonly CommandInfo[] {
  const { client } = usePage()
  const { id } = useSession()
  return useLoaded([], () => client.commands(id), [client, id])
}
