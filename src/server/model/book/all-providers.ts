import type { EnteredProvider, ProviderConfig, WireName } from '../../../protocol/provider.ts'
import { presetProviders } from './presets.ts'
import { chat, type Provider, providers, type ProviderSettings } from '../providers.ts'

const builtIn: readonly Provider[] = [...providers, ...presetProviders]
const byId = (id: string) => builtIn.find((one) => one.id === id)

/** The address that a provider has unless a setting moves it; null: it has none. */
export const ownAddress = (id: string): string | null => byId(id)?.baseUrl ?? null

/** Names of variables that the server reads keys and addresses from: the built-in ones and those of a configuration. */
export function secretVariables(
  configured: Readonly<Record<string, ProviderConfig>> = {},
): ReadonlySet<string> {
  const known = builtIn.flatMap(({ keys, baseUrlName }) => [...keys, baseUrlName])
  const own = Object.values(configured).map(({ keyEnv }) => keyEnv ?? '')
  return new Set([...known, ...own].filter((name) => name !== ''))
}

/**
 * All providers, in the order in which they are tried when nobody says which: a server that Tandem was pointed at, what a
 * person entered, what the configuration names, then what the environment has a key for, and what answers here.
 */
export function allProviders(
  configured: Readonly<Record<string, ProviderConfig>>,
  entered: ReadonlyMap<string, EnteredProvider>,
): readonly Provider[] {
  const own = new Map<string, Provider>()
  const configOf = (id: string) =>
    (Object.hasOwn(configured, id) ? configured[id] : undefined) ?? {}
  for (const [id, { key, ...entry }] of entered)
    own.set(id, withSettings(enteredBase(id, entry, configOf(id)), { ...entry, key }))
  for (const [id, entry] of Object.entries(configured))
    if (!own.has(id)) own.set(id, withConfig(id, entry))
  own.delete('demo')
  const rest = builtIn.filter(({ id }) => !own.has(id))
  const isFirst = ({ id }: Provider) => id === 'openai-compatible'
  const isLast = ({ keys, id }: Provider) => keys.length === 0 || id === 'demo'
  return [
    ...rest.filter(isFirst),
    ...own.values(),
    ...rest.filter((one) => !isFirst(one) && !isLast(one)),
    ...rest.filter(isLast),
  ]
}

/** Keys and headers that were meant for one address are not sent to another: whoever enters an address enters its key. */
function enteredBase(id: string, { baseUrl }: EnteredProvider, whole: ProviderConfig): Provider {
  if (baseUrl === undefined || baseUrl === whole.baseUrl) return withConfig(id, whole)
  const { keyEnv: _, keyFile: __, keyCommand: ___, headers: ____, ...config } = whole
  return { ...withConfig(id, config), keys: [] }
}

function withConfig(id: string, config: ProviderConfig): Provider {
  const { keyEnv, keyFile, keyCommand, headers, dialect, strictAlternation, ...rest } = config
  const settings = { keyFile, keyCommand, headers, dialect, strict: strictAlternation }
  return withSettings(baseOf(id, config, keyEnv), { ...rest, ...settings })
}

/** The provider of this name, or of the preset, or a server that nothing is known of. */
function baseOf(id: string, { preset }: ProviderConfig, keyEnv?: string): Provider {
  const known = byId(preset ?? id)
  const base: Provider = known
    ? { ...known, id, label: known.id === id ? known.label : id, isQuiet: false }
    : { ...chat, id, label: id, keys: [], baseUrl: null, baseUrlName: '' }
  // A variable that is named for a key says that there is one.
  return keyEnv === undefined ? base : { ...base, needsKey: true, keys: [keyEnv, ...base.keys] }
}

type Overlay = ProviderSettings & Pick<EnteredProvider, 'preset' | 'wire' | 'baseUrl' | 'models'>

function withSettings(base: Provider, overlay: Overlay): Provider {
  const { preset, wire, baseUrl, models, ...own } = overlay
  const preferred = preset === undefined ? undefined : byId(preset)
  const shaped = preferred
    ? { ...preferred, id: base.id, label: preferred.id === base.id ? preferred.label : base.id }
    : base
  return {
    ...shaped,
    ...(wire !== undefined && wire !== shaped.adapter && wireOf(wire)),
    // The address that a person names goes before a variable’s.
    ...(baseUrl !== undefined && { baseUrl, baseUrlName: '' }),
    models: models ?? base.models,
    isQuiet: false,
    own: { ...base.own, ...defined(own) },
  }
}

function defined(settings: ProviderSettings): ProviderSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

const speakers: Readonly<Record<WireName, string>> = {
  'openai-chat': 'openai-compatible',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
}

/** The parts of a provider that follow from its protocol. */
function wireOf(wire: WireName): Partial<Provider> {
  const speaker = byId(speakers[wire])
  if (speaker === undefined) return {}
  const { adapter, dialect, open, patterns, isCompatible = false } = speaker
  return { adapter, dialect, open, patterns, isCompatible }
}
