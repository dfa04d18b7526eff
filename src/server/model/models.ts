import type { Dialect, ModelSetup } from '../../protocol/events/epoch.ts'
import type { ReplyTimes } from '../../protocol/limits.ts'
import type { EnteredProvider, ProviderConfig } from '../../protocol/provider.ts'
import type { ModelInfo } from '../../protocol/http/server-routes.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import { createKeySource } from './keys/key-source.ts'
import { type KeyStore, memoryKeyStore } from './keys/key-store.ts'
import { createProviderBook } from './book/provider-book.ts'
import { createChoice } from './book/choose-initial.ts'
import { createModelLists } from './list/model-lists.ts'
import type { Model } from './model.ts'
import { createModelOpener } from './open-model.ts'
import { type NamedModel, setupFor } from './setup-for.ts'
import { setupOf } from './setup.ts'
import { tryModel } from './try-model.ts'
import { createAgents } from './transport/agents.ts'
import { askProvider, type ProviderAddress } from './list/ask-provider.ts'

export interface ModelSettings {
  /** `provider/name`; null takes what there is. */
  model: string | null
  /** Address of the OpenAI-compatible server. */
  baseUrl: string | null
  /** Null takes the provider's preferred dialect. */
  dialect: Dialect | null
  /** For servers that want user and assistant strictly in turn; null: compatible ones in tags. */
  strict: boolean | null
  /** Keys, addresses and proxies, by the name of their environment variable. */
  env: Readonly<Record<string, string>>
  /** Servers by name, as the configuration sets them up. */
  providers?: Readonly<Record<string, ProviderConfig>> | undefined
  /** The environment of a command that prints a key. */
  commandEnv?: Readonly<Record<string, string>> | undefined
  /** How long a reply is waited for. */
  times?: ReplyTimes
}

export interface ModelsDeps {
  /** Left out: nothing is kept. */
  keys?: KeyStore
  /** Milliseconds since 1970: it ages lists, and tells which models are past their announced end. */
  clock?: () => number
}

/** The outcome of a test call, with a sentence for a person. */
export interface Tried {
  works: boolean
  says: string
  /** The model that was asked; null: none could be. */
  model: string | null
}

/** The parts of an epoch's set-up that its session goes on with. */
export type Spoken = Pick<ModelSetup, 'adapter' | 'dialect'>

/** The models that sessions can talk to. Errors are sentences for a person. */
export interface Models {
  /** For sessions that have not chosen one: what there is at the moment. */
  initial(): ModelSetup
  /** Resolves when it is known what there is, or when that takes too long. */
  settled(longestMs: number): Promise<void>
  /** The set-up that an epoch with this model would freeze, if it can be used, in the dialect that a session speaks. */
  pick(model: string, spoken?: Dialect | null): Result<ModelSetup, string>
  /** The same for one that a session of this epoch has already; whether it can be used shows when it is. */
  keep(model: string, epoch?: Spoken | null): ModelSetup
  /** The model of an epoch, which may have been frozen by an earlier server. */
  open(setup: ModelSetup, signal?: AbortSignal): Promise<Result<Model, string>>
  /** Lists may be minutes old, unless they are asked for now. */
  list(options?: { fresh?: boolean }): Promise<readonly ModelInfo[]>
  /** Tries a provider, and keeps it if it works or in any case. */
  add(
    name: string,
    entry: EnteredProvider,
    options: { keep: 'if-works' | 'always' },
  ): Promise<Tried>
  /** Forgets an entered provider; false: there is none. */
  remove(name: string): Promise<boolean>
  /** Makes a test call; null: there is no such provider. */
  test(name: string): Promise<Tried | null>
  /** Whether a model's provider is asked at another address than its own; left out: none is. */
  isMoved?(model: string): boolean
  /** How long a reply is waited for; left out: as long as usual. */
  readonly times?: ReplyTimes | undefined
}

export async function createModels(
  settings: ModelSettings,
  { keys = memoryKeyStore(), clock = Date.now }: ModelsDeps = {},
): Promise<Result<Models, string>> {
  const { setup, book, opener, lists, test } = assemble(settings, { keys, clock })

  function pick(model: string, spoken: Dialect | null = null): Result<ModelSetup, string> {
    const found = book.find(model)
    if (!found.ok) return found
    const problem = book.problemOf(found.value.provider)
    return problem === null ? ok(setup(found.value, spoken)) : refused(problem)
  }

  function keep(model: string, epoch: Spoken | null = null): ModelSetup {
    const found = book.find(model)
    if (found.ok) return setup(found.value, epoch?.dialect ?? null)
    const { adapter, dialect } = epoch ?? { ...usual, dialect: settings.dialect ?? usual.dialect }
    // A model whose provider was removed keeps its name: no epoch opens for another, and whoever opens it is told.
    return setupOf({ model, adapter, dialect })
  }

  // A key or an address may still be entered; a name that means nothing cannot be put right that way.
  const first = book.provider(settings.model ?? 'demo')
  if (!first.ok) return first
  const choice = createChoice(book, settings.model)
  async function changed(name: string): Promise<void> {
    lists.forget(name)
    await choice.choose()
  }

  /** Nothing is kept, and no session meets it, before it works, unless the person wants that. */
  async function tryEntry(name: string, { named = [], ...whole }: Merged) {
    const tryOne = (one: EnteredProvider) => {
      const trial = { all: () => new Map([...keys.all(), [name, one]]) }
      return assemble(settings, { keys: trial, clock }).test(name)
    }
    const tried = await tryOne(whole)
    if (tried.model !== null || named.length === 0) return { tried, whole }
    // The models that were named before are wanted still where no list tells others.
    const before = { ...whole, models: [...named] }
    return { tried: await tryOne(before), whole: before }
  }

  /** A session that began before there was a model stays with the demo, until a person takes what it offers. */
  async function openDemo(): Promise<Result<Model, string>> {
    await choice.settled(offerMs)
    const { createDemoModel } = await import('./demo.ts')
    const other = choice.model()
    return ok(createDemoModel({ other: other.startsWith('demo/') ? null : other }))
  }

  return ok({
    initial: () => keep(choice.model()),
    settled: choice.settled,
    times: settings.times,
    pick,
    keep,
    isMoved: book.isMoved,
    open: (frozen, signal) =>
      frozen.adapter === 'demo' ? openDemo() : opener.open(frozen, signal),
    async list(options = {}) {
      const all = await book.list(options)
      await choice.choose()
      return all
    },
    async add(name, entry, { keep: when }) {
      const { tried, whole } = await tryEntry(name, mergedEntry(keys.all().get(name), entry))
      if (!tried.works && when === 'if-works') return tried
      await keys.set(name, whole)
      await changed(name)
      return tried
    },
    async remove(name) {
      if (!(await keys.remove(name))) return false
      await changed(name)
      return true
    },
    test: async (name) => (book.provider(name).ok ? test(name) : null),
  })
}

/** The demo's reply waits so long for a model that it could tell of. */
const offerMs = 2_500

const usual: Spoken = { adapter: 'openai-chat', dialect: 'tags' }

/** An entry, and the models that the one before it named. */
type Merged = EnteredProvider & { named?: readonly string[] }

/** The key and the models that were kept are those of the address that they were kept for, and of no other. */
function mergedEntry(before: EnteredProvider = {}, entry: EnteredProvider): Merged {
  const isMoved = entry.baseUrl !== undefined && entry.baseUrl !== before.baseUrl
  const { key, models: named, ...rest } = before
  if (isMoved) return { ...rest, ...entry }
  const isNamed = entry.models !== undefined || named === undefined
  return { ...rest, ...(key !== undefined && { key }), ...entry, ...(!isNamed && { named }) }
}

/** The parts that follow from which providers there are. */
function assemble(
  settings: ModelSettings,
  { keys, clock }: { keys: Pick<KeyStore, 'all'>; clock: () => number },
) {
  const { env, commandEnv = {}, dialect, strict } = settings
  const day = () => new Date(clock()).toISOString().slice(0, 10)
  const agents = createAgents({ env })
  const ask = (address: ProviderAddress, longestMs?: number) =>
    askProvider({ ...address, agents }, longestMs)
  const lists = createModelLists({ ask, now: clock })
  const source = createKeySource({ env, commandEnv, now: clock })
  const book = createProviderBook({ settings, keys, source, lists, day })
  const opener = createModelOpener({ book, source, agents })

  const setup = (found: NamedModel, spoken: Dialect | null): ModelSetup =>
    setupFor(found, { dialect, strict, spoken, sizes: book.sizesOf(found) })

  async function test(id: string): Promise<Tried> {
    const chosen = await book.defaultOf(id, { fresh: true })
    if (!chosen.ok) return { works: false, says: chosen.error, model: null }
    const { provider, name } = chosen.value
    const model = `${id}/${name}`
    const opened = await opener.open(setup(chosen.value, null))
    const isListed = (lists.known(id)?.models.length ?? 0) > 0
    const why = opened.ok ? await tryModel(opened.value, { isListed }) : opened.error
    if (why !== null) return { works: false, says: why, model }
    return { works: true, says: `${provider.label} works: ${model} answers.`, model }
  }

  return { setup, book, opener, lists, test }
}
