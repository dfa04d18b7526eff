import { askProvider, type ProviderAddress, type ProviderList } from './ask-provider.ts'

/** Lists change by the month; one that failed may come the next minute. */
const freshMs = { good: 10 * 60_000, bad: 10_000 } as const

interface Kept {
  /** Where, and with which key, it was asked for: another key may see other models. */
  from: string
  list: ProviderList | null
  at: number
  asking: Promise<ProviderList> | null
}

/** The lists of models as they were last seen, one a provider. */
export interface ModelLists {
  /** The list; one that is old is given at once, and asked for anew meanwhile, unless there is nothing in it. */
  get(provider: string, address: ProviderAddress): Promise<ProviderList>
  /** The same, asked for now, and waited for as long as usual unless told. */
  fresh(provider: string, address: ProviderAddress, longestMs?: number): Promise<ProviderList>
  /** As far as it is known, without asking. */
  known(provider: string): ProviderList | null
  forget(provider: string): void
}

export interface ModelListsDeps {
  ask?: (address: ProviderAddress, longestMs?: number) => Promise<ProviderList>
  now: () => number
}

export function createModelLists({ ask = askProvider, now }: ModelListsDeps): ModelLists {
  const all = new Map<string, Kept>()

  function keptFor(provider: string, address: ProviderAddress): Kept {
    const from = JSON.stringify([address.adapter, address.baseUrl, address.apiKey, address.headers])
    const found = all.get(provider)
    if (found?.from === from) return found
    const kept = { from, list: null, at: 0, asking: null }
    all.set(provider, kept)
    return kept
  }

  /** One request at a time: others wait for the same answer. */
  function refresh(
    kept: Kept,
    address: ProviderAddress,
    longestMs?: number,
  ): Promise<ProviderList> {
    kept.asking ??= ask(address, longestMs).then((list) => {
      // A list that could once be had is better than none, but whoever asks is told of the failure.
      const isWorse = list.problem !== null && kept.list !== null && kept.list.problem === null
      kept.list = isWorse ? { ...list, models: kept.list?.models ?? [] } : list
      kept.at = now()
      kept.asking = null
      return kept.list
    })
    return kept.asking
  }

  return {
    async get(provider, address) {
      const kept = keptFor(provider, address)
      if (kept.list === null) return refresh(kept, address)
      const age = kept.list.problem === null ? freshMs.good : freshMs.bad
      if (now() - kept.at <= age) return kept.list
      const asked = refresh(kept, address)
      return kept.list.problem !== null && kept.list.models.length === 0 ? asked : kept.list
    },
    fresh: (provider, address, longestMs) =>
      refresh(keptFor(provider, address), address, longestMs),
    known: (provider) => all.get(provider)?.list ?? null,
    forget: (provider) => void all.delete(provider),
  }
}
