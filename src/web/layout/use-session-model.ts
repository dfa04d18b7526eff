import { readHealth } from '../../client/server.ts'
import type { View } from '../../view/fold/view.ts'
import { useNow } from '../chat/use-now.ts'
import { usePage } from '../state/page.ts'
import { modelChanges } from '../state/panels.ts'
import { useLoaded, useStore } from '../state/use-store.ts'

/** A key may be entered in another tab or in a terminal; whoever did so looks here within seconds. */
const lookMs = 3_000

const isDemo = (model: string | null) => model?.startsWith('demo/') ?? false

/**
 * The model of this session: the one that was chosen, the one it talks to, or the server's own. One that has appeared since
 * is offered to a session on the demo, unless a person chose the demo.
 */
export function useSessionModel({ state }: View): { model: string | null; offered: string | null } {
  const { client } = usePage()
  const own = state.model ?? state.epoch?.model ?? null
  const isWanted = state.head > 0 && (own === null || isDemo(own))
  const changes = useStore(modelChanges)
  const now = useNow(isWanted, lookMs)
  const load = async (signal: AbortSignal) =>
    isWanted ? (await readHealth(client, signal)).model : null
  const found = useLoaded(null, load, [client, isWanted, changes, isWanted ? now : 0])
  const isOffered = state.model === null && isDemo(own) && found !== null && !isDemo(found)
  return { model: own ?? found, offered: isOffered ? found : null }
}
