import type { ModelInfo } from '../../../protocol/http/server-routes.ts'
import type { ProviderList } from '../list/ask-provider.ts'
import { hasEnded, knownModel } from '../list/known-models.ts'
import type { Provider } from '../providers.ts'
import type { SetupWishes } from '../setup-for.ts'

/** A provider that lacks a key or an address, as a sentence says. */
export function unusable(
  { id, label }: Provider,
  problem: string,
  address: string | null,
): ModelInfo {
  const needsAddress = address === null && { needsAddress: true }
  const none = { configured: false, reachable: false, models: [] }
  return { provider: id, label, ...none, problem, ...needsAddress }
}

interface ProviderFacts {
  list: ProviderList
  /** The model that is taken when nobody says which. */
  usual: string | null
  day: string
  isEntered: boolean
}

/** A provider for people: the default stands first, and only if it is there. */
export function describeProvider(provider: Provider, facts: ProviderFacts): ModelInfo {
  const { id, label, models: named = [] } = provider
  const { list, usual, day, isEntered } = facts
  const names = [...new Set([...named, ...list.models.map(({ name }) => name)])]
  const isThere = list.problem === null || (list.isMissing === true && named.length > 0)
  const first = usual !== null && names.includes(usual) ? [usual] : []
  const models = [...new Set([...first, ...names])].map((name) => `${id}/${name}`)
  return {
    provider: id,
    label,
    configured: true,
    reachable: isThere,
    problem: isThere ? null : list.problem,
    models,
    ...(first.length > 0 && models[0] !== undefined && { default: models[0] }),
    ...(isEntered && { entered: true }),
    ...contextsOf(id, list),
    ...warningsOf(id, names, day),
  }
}

/** Two of our providers are one company. */
export function familyOf(id: string): string {
  return id === 'openai-chat' ? 'openai' : id
}

export function knownSizes(id: string, name: string): SetupWishes['sizes'] {
  const { context, output } = knownModel(familyOf(id), name) ?? {}
  return { ...(context && { context }), ...(output && { output }) }
}

function contextsOf(id: string, { models }: ProviderList): Pick<ModelInfo, 'contexts'> {
  const known = models.flatMap(({ name, context = knownModel(familyOf(id), name)?.context }) =>
    context === undefined ? [] : [[`${id}/${name}`, context] as const],
  )
  return known.length === 0 ? {} : { contexts: Object.fromEntries(known) }
}

function warningsOf(
  id: string,
  names: readonly string[],
  day: string,
): Pick<ModelInfo, 'warnings'> {
  const warnings = names.flatMap((name) => {
    const known = knownModel(familyOf(id), name)
    return known && hasEnded(known, day) ? [`${id}/${name} was to end on ${known.ends}.`] : []
  })
  return warnings.length === 0 ? {} : { warnings }
}
