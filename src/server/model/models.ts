import type { Dialect, ModelSetup } from '../../protocol/events/epoch.ts'
import type { ReplyTimes } from '../../protocol/limits.ts'
import type { ModelInfo } from '../../protocol/http/server-routes.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import { askProvider } from './ask-provider.ts'
import type { Model } from './model.ts'
import { type Provider, providers } from './providers.ts'
import { setupOf } from './setup.ts'
import { createAgents } from './transport/agents.ts'

/**
 * Makes something once for each key, and remembers it unless that failed: what failed once, for want of memory or a
 * file, may work the next time.
 */
export function rememberUnlessFailed<T>(): (key: string, make: () => Promise<T>) => Promise<T> {
  const made = new Map<string, Promise<T>>()
  return async (key, make) => {
    const one = made.get(key) ?? make()
    made.set(key, one)
    try {
      return await one
    } catch (error) {
      if (made.get(key) === one) made.delete(key)
      throw error
    }
  }
}

const still = ['image/png', 'image/jpeg', 'image/webp']

/** By adapter: which pictures models take, and which of its models do. */
const takers: Readonly<Record<string, { types: readonly string[]; models: RegExp }>> = {
  anthropic: { types: [...still, 'image/gif'], models: /^(?!claude-(instant|[12]))/ },
  // Google refuses GIF.
  gemini: { types: still, models: /^/ },
  // OpenAI refuses a GIF that moves, and every later request with it.
  'openai-responses': {
    types: still,
    models: /^(?!gpt-3|gpt-4(-\d|-32k|$)|o1-(mini|preview)|o3-mini)/,
  },
  // Any server speaks chat completions, and most models there read text only: known names alone.
  'openai-chat': {
    types: still,
    models:
      /gpt-(4o|4\.1|4-turbo|[5-9])|^o[34]($|-(?!mini))|claude-|gemini-|llava|vision|-vl\b|vl-|pixtral/,
  },
}

/** Media types of the pictures that a model takes; empty when it takes none. Frozen with its epoch. */
export function imagesOf(adapter: string, name: string): readonly string[] {
  const taker = Object.hasOwn(takers, adapter) ? takers[adapter] : undefined
  return taker?.models.test(name) ? taker.types : []
}

export interface ModelSettings {
  /** `provider/name`; null takes what there is. */
  model: string | null
  /** Address of the OpenAI-compatible server. */
  baseUrl: string | null
  /** Null takes the provider's preferred dialect. */
  dialect: Dialect | null
  /** For servers that want user and assistant strictly in turn. */
  strict: boolean
  /** Keys, addresses and proxies, by the name of their environment variable. */
  env: Readonly<Record<string, string>>
  /** How long a reply is waited for. */
  times?: ReplyTimes
}

/** The models that sessions can talk to. Errors are sentences for a person. */
export interface Models {
  /** For sessions that have not chosen one. */
  readonly initial: ModelSetup
  /** The set-up that an epoch with this model would freeze, if it can be used. */
  pick(model: string): Result<ModelSetup, string>
  /** The same for one a session has already; whether it can be used shows when it is. */
  keep(model: string): ModelSetup
  /** The model of an epoch, which may have been frozen by an earlier server. */
  open(setup: ModelSetup): Promise<Result<Model, string>>
  list(): Promise<readonly ModelInfo[]>
  /** How long a reply is waited for; left out: as long as usual. */
  readonly times?: ReplyTimes | undefined
}

export async function createModels(settings: ModelSettings): Promise<Result<Models, string>> {
  const initial = pickModel(settings.model ?? (await whatThereIs(settings)), settings)
  if (!initial.ok) return initial
  const opened = rememberUnlessFailed<Model>()
  const agents = createAgents({ env: settings.env })
  return ok({
    initial: initial.value,
    times: settings.times,
    pick: (model) => pickModel(model, settings),
    keep(model) {
      const found = find(model)
      return found.ok ? setupFor(found.value, settings) : initial.value
    },
    async open(setup) {
      const found = find(setup.model)
      if (!found.ok) return found
      const { provider, name } = found.value
      const problem = problemOf(provider, settings)
      if (problem !== null) return refused(problem)
      const address = addressOf(provider, settings)
      const key = `${setup.model} ${setup.adapter}`
      const model = await opened(key, () =>
        provider.open({
          setup,
          name,
          who: whoOf(provider, address),
          baseUrl: address ?? '',
          apiKey: keyOf(provider, settings),
          agents,
        }),
      )
      return ok(model)
    },
    list: () => Promise.all(providers.map((provider) => describe(provider, settings))),
  })
}

/** Somebody who set an address for Tandem means it; then keys that are there; then what answers here. */
async function whatThereIs(settings: ModelSettings): Promise<string> {
  for (const provider of providers) {
    if (provider.id === 'demo' || problemOf(provider, settings) !== null) continue
    if (provider.defaultModel !== null) return `${provider.id}/${provider.defaultModel}`
    const [first] = (await asked(provider, settings)).names
    if (first !== undefined) return `${provider.id}/${first}`
    if (provider.id === 'openai-compatible') return `${provider.id}/default`
  }
  return 'demo/offline'
}

function pickModel(model: string, settings: ModelSettings): Result<ModelSetup, string> {
  const found = find(model)
  if (!found.ok) return found
  const problem = problemOf(found.value.provider, settings)
  return problem === null ? ok(setupFor(found.value, settings)) : refused(problem)
}

interface Found {
  provider: Provider
  name: string
}

function setupFor({ provider, name }: Found, { strict, dialect }: ModelSettings): ModelSetup {
  const model = `${provider.id}/${name}`
  // A server that needs strict turns has no place for native calls.
  if (strict && provider.adapter === 'openai-chat')
    return setupOf({ model, adapter: 'openai-chat-strict', dialect: 'tags' })
  const isDemo = provider.id === 'demo'
  const usual = usualDialect(provider, name)
  const spoken = isDemo ? usual : (dialect ?? usual)
  const { adapter } = provider
  return setupOf({ model, adapter, dialect: spoken, images: imagesOf(adapter, name) })
}

function usualDialect({ dialect, others }: Provider, name: string): Dialect {
  if (others?.test(name) !== true) return dialect
  return dialect === 'tags' ? 'tools' : 'tags'
}

function find(model: string): Result<Found, string> {
  const [id = '', ...rest] = model.trim().split('/')
  const provider = providers.find((one) => one.id === id)
  if (provider === undefined)
    return refused(
      `There is no provider "${id}". There are: ${providers.map((one) => one.id).join(', ')}.`,
    )
  const name = rest.join('/') || provider.defaultModel
  if (name === null || name === '')
    return refused(`Name the model too: ${id}/NAME. What there is: tandem models`)
  return ok({ provider, name })
}

/** The setting that is missing before it can be used, as a sentence. */
function problemOf(provider: Provider, settings: ModelSettings): string | null {
  const { id, label, needsKey, keys, baseUrlName } = provider
  if (needsKey && keyOf(provider, settings) === null)
    return `${label} needs a key: set ${keys.join(' or ')}.`
  if (id !== 'demo' && addressOf(provider, settings) === null)
    return `${id} needs the server’s address: set ${baseUrlName}.`
  return null
}

function keyOf({ keys }: Provider, { env }: ModelSettings): string | null {
  return keys.map((name) => env[name]).find((value) => value !== undefined && value !== '') ?? null
}

function addressOf(provider: Provider, { env, baseUrl }: ModelSettings): string | null {
  const own = provider.id === 'openai-compatible' ? baseUrl : null
  return env[provider.baseUrlName] || own || provider.baseUrl
}

function whoOf({ label, baseUrl }: Provider, address: string | null): string {
  return address === null || address === baseUrl ? label : `The model server at ${address}`
}

function asked(provider: Provider, settings: ModelSettings) {
  return askProvider({
    adapter: provider.adapter,
    baseUrl: addressOf(provider, settings) ?? '',
    apiKey: keyOf(provider, settings),
  })
}

async function describe(provider: Provider, settings: ModelSettings): Promise<ModelInfo> {
  const { id, label, defaultModel } = provider
  const shared = { provider: id, label }
  const problem = problemOf(provider, settings)
  if (problem !== null)
    return { ...shared, configured: false, reachable: false, problem, models: [] }
  if (id === 'demo')
    return { ...shared, configured: true, reachable: true, problem: null, models: ['demo/offline'] }
  const { names, problem: unreachable } = await asked(provider, settings)
  const first = defaultModel === null ? [] : [defaultModel]
  const models = [...new Set([...first, ...names])].map((name) => `${id}/${name}`)
  const reachable = unreachable === null
  return { ...shared, configured: true, reachable, problem: unreachable, models }
}
