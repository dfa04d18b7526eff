import { useEffect, useState } from 'react'
import { routes } from '../../protocol/routes.ts'
import type { View } from '../../view/view.ts'
import { usePage } from '../state/page.ts'

/** The model of this session: the one that was chosen, the one it talks to, or the server's own. */
export function useCurrentModel({ state }: View): string | null {
  const { client } = usePage()
  const [fallback, setFallback] = useState<string | null>(null)
  const own = state.model ?? state.epoch?.model ?? null
  const isWanted = own === null && state.head > 0
  useEffect(() => {
    if (!isWanted) return undefined
    const leaving = new AbortController()
    client.call(routes.health, { signal: leaving.signal }).then(
      ({ model }) => setFallback(model),
      () => undefined,
    )
    return () => leaving.abort()
  }, [client, isWanted])
  return own ?? fallback
}
