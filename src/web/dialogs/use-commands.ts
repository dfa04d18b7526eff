import { useEffect, useState } from 'react'
import type { CommandInfo } from '../../protocol/completion.ts'
import { inputRoutes } from '../../protocol/input-routes.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'

/** Every command of the session, as it says itself. */
export function useCommands(): readonly CommandInfo[] {
  const { client } = usePage()
  const { id } = useSession()
  const [commands, setCommands] = useState<readonly CommandInfo[]>([])
  useEffect(() => {
    let isWanted = true
    client.call(inputRoutes.commands, { params: { id } }).then(
      (answer) => isWanted && setCommands(answer.commands),
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [client, id])
  return commands
}
