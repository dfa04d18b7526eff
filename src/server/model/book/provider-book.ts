import { ok, refused, type Result } from '../../../base/result.ts'
import type { ModelInfo } from '../../../protocol/http/server-routes.ts'
import { allProviders } from './all-providers.ts'
import { describeProvider, familyOf, knownSizes, unusable } from './describe-provider.ts'
import type { KeySource } from '../keys/key-source.ts'
import { createReach } from './reach-provider.ts'
import type { KeyStore } from '../keys/key-store.ts'
import { type ProviderList, testPatienceMs } from '../list/ask-provider.ts'
import { chooseModel, presumedModel } from '../list/choose-model.ts'
import type { ModelLists } from '../list/model-lists.ts'
import type { ModelSettings } from '../models.ts'
import type { Provider } from '../providers.ts'
import type { NamedModel, SetupWishes } from '../setup-for.ts'

export interface ProviderBookDeps {
  settings: Pick<ModelSettings, 'env' | 'baseUrl' | 'providers'>
  keys: Pick<KeyStore, 'all'>
  source: KeySource
  lists: ModelLists
  /** Today, as `2026-11-18`. */
  day: () => string
}

interface ListOptions {
  /** Asked for now. */
  fresh?: boolean
  /** So long it is waited for then. */
  longestMs?: number
}

/** All providers as they are now, and the models that they are known to have. */
export type ProviderBook = ReturnType<typeof createProviderBook>

export function createProviderBook({ settings, keys, source, lists, day }: ProviderBookDeps) {
  const all = () => allProviders(settings.providers ?? {}, keys.all())
  const provider = (id: string) => providerIn(all(), id)
  const { addressOf, isMoved, problemOf, reach } = createReach({ settings, source })

  async function listOf(one: Provider, options: ListOptions = {}): Promise<ProviderList> {
    if (one.id === 'demo') return { models: [{ name: 'offline' }], problem: null }
    const at = await reach(one)
    if (!at.ok) return { models: [], problem: at.error }
    if (options.fresh !== true) return lists.get(one.id, at.value)
    return lists.fresh(one.id, at.value, options.longestMs)
  }

  const defaultIn = (one: Provider, list: ProviderList | null) => usualModel(one, list, day())

  function find(model: string): Result<NamedModel, string> {
    const [id = '', ...rest] = model.trim().split('/')
    const found = provider(id)
    if (!found.ok) return found
    const name = rest.join('/') || defaultIn(found.value, lists.known(id))
    if (name === null || name === '')
      return refused(`Name the model too: ${id}/NAME. What there is: tandem models`)
    return ok({ provider: found.value, name })
  }

  async function defaultOf(
    id: string,
    { fresh = false } = {},
  ): Promise<Result<NamedModel, string>> {
    const found = provider(id)
    if (!found.ok) return found
    const problem = problemOf(found.value)
    if (problem !== null) return refused(problem)
    const { label, models: [named] = [] } = found.value
    // A person who names a model has no need of a list, and its server may have none.
    if (named !== undefined) return ok({ provider: found.value, name: named })
    const list = await listOf(found.value, { fresh, longestMs: testPatienceMs })
    // A server without a list may have models all the same; whatever else is wrong would be wrong for them too.
    if (fresh && list.problem !== null && list.isMissing !== true)
      return refused(`${label} cannot be used: ${list.problem}`)
    const name = defaultIn(found.value, list)
    if (name === null) return refused(nameless(label, list))
    return ok({ provider: found.value, name })
  }

  return {
    all,
    has: (id: string) => provider(id).ok,
    find,
    problemOf,
    addressOf,
    reach,
    listOf,
    defaultOf,
    isMoved: (model: string) => isMoved(find(model)),
    /** A model as it was named, with the name that was left out. */
    async named(model: string): Promise<string> {
      if (model.includes('/')) return model
      const found = await defaultOf(model)
      return found.ok ? `${found.value.provider.id}/${found.value.name}` : model
    },
    sizesOf({ provider: { id }, name }: NamedModel): SetupWishes['sizes'] {
      const listed = lists.known(id)?.models.find((model) => model.name === name)
      return { ...knownSizes(id, name), ...listed }
    },
    async list(options: { fresh?: boolean }): Promise<readonly ModelInfo[]> {
      const shown = all().filter((one) => one.isQuiet !== true || problemOf(one) === null)
      const isEntered = ({ id }: Provider) => keys.all().has(id)
      return Promise.all(
        shown.map(async (one) => {
          const missing = problemOf(one)
          if (missing !== null) return unusable(one, missing)
          const list = await listOf(one, options)
          const facts = { list, usual: defaultIn(one, list), day: day(), isEntered: isEntered(one) }
          return describeProvider(one, facts)
        }),
      )
    },
  }
}

function nameless(label: string, { problem }: ProviderList): string {
  const why = problem ?? 'It lists none.'
  return `${label} cannot be asked which models it has: ${why} Name one of its models too.`
}

function providerIn(all: readonly Provider[], id: string): Result<Provider, string> {
  const found = all.find((one) => one.id === id)
  if (found) return ok(found)
  const ids = all.filter(({ isQuiet }) => isQuiet !== true).map((one) => one.id)
  return refused(`There is no provider "${id}". There are: ${ids.join(', ')}.`)
}

/** The models that a person named come first: they know what they want. */
function usualModel(
  { id, patterns, models = [] }: Provider,
  list: ProviderList | null,
  day: string,
): string | null {
  const provider = familyOf(id)
  const listed = chooseModel(list?.models ?? [], { provider, patterns, day })
  return models[0] ?? listed ?? presumedModel(provider, day)
}
