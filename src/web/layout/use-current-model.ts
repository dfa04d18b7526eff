import { useEffect, useState } from 'react'
import { routes } from '../../protocol/routes.ts'
import type { View } from '../../view/view.ts'
import { usePage } from '../state/page.ts'

/** The model of this session: the one it talks to, the one that was chosen, or the server's own. */
export function useCurrentModel({ state }: View): string | null {
  const { client } = usePage()
  const [fallback, setFallback] = useState<string | null>(null)
  useEffect(() => {
    client.call(routes.health, {}).then(
      ({ model }) => setFallback(model),
      () => undefined,
    )
  }, [client])
  return state.model ?? state.epoch?.model ?? fallback
}
