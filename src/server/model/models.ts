import type { Dialect, ModelSetup } from '../../protocol/events/epoch.ts'
import type { ReplyTimes } from '../../protocol/limits.ts'
import type { EnteredProvider, ProviderConfig } from '../../protocol/provider.ts'
import type { ModelInfo } from '../../protocol/http/server-routes.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import { createKeySource } from './keys/key-source.ts'
import { type KeyStore, memoryKeyStore } from './keys/key-store.ts'
import { createProviderBook } from './book/provider-book.ts'
import { chooseInitial } from './book/choose-initial.ts'
import { createModelLists } from './list/model-lists.ts'
import type { Model } from './model.ts'
import { createModelOpener } from './open-model.ts'
import { type NamedModel, setupFor } from './setup-for.ts'
import { setupOf } from './setup.ts'
import { tryModel } from './try-model.ts'
import { setTimeout as delay } from 'node:timers/promises'
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

/** The models that sessions can talk to. Errors are sentences for a person. */
export interface Models {
  /** For sessions that have not chosen one: what there is at the moment. */
  initial(): ModelSetup
  /** Resolves when it is known what there is, or when that takes too long. */
  settled(longestMs: number): Promise<void>
  /** The set-up that an epoch with this model would freeze, if it can be used, in the dialect that a session speaks. */
  pick(model: string, spoken?: Dialect | null): Result<ModelSetup, string>
  /** The same for one a session has already; whether it can be used shows when it is. */
  keep(model: string, spoken?: Dialect | null): ModelSetup
  /** The model of an epoch, which may have been frozen by an earlier server. */
  open(setup: ModelSetup): Promise<Result<Model, string>>
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

  function keep(model: string, spoken: Dialect | null = null): ModelSetup {
    const found = book.find(model)
    return found.ok ? setup(found.value, spoken) : goneSetup(model, spoken ?? settings.dialect)
  }

  let initial = settings.model ?? 'demo/offline'
  // A key or an address may still be entered; a name that means nothing cannot be put right that way.
  const first = book.find(initial)
  if (!first.ok) return first
  let choices = 0
  /** Whatever is there now; a person who named a model has chosen. Of several at once the newest counts. */
  async function choose(): Promise<void> {
    choices += 1
    const own = choices
    const found = await (settings.model === null ? chooseInitial(book) : book.named(settings.model))
    if (own === choices) initial = found
  }
  async function changed(name: string): Promise<void> {
    lists.forget(name)
    await choose()
  }

  /** A session that began before there was a model stays with the demo, until a person takes what it offers. */
  async function openDemo(): Promise<Result<Model, string>> {
    const { createDemoModel } = await import('./demo.ts')
    return ok(createDemoModel({ other: initial.startsWith('demo/') ? null : initial }))
  }

  const settling = choose()
  return ok({
    initial: () => keep(initial),
    async settled(longestMs) {
      await Promise.race([settling, delay(longestMs, undefined, { ref: false })])
    },
    times: settings.times,
    pick,
    keep,
    isMoved: book.isMoved,
    open: (frozen) => (frozen.adapter === 'demo' ? openDemo() : opener.open(frozen)),
    async list(options = {}) {
      const all = await book.list(options)
      await choose()
      return all
    },
    async add(name, entry, { keep: when }) {
      const whole = mergedEntry(keys.all().get(name), entry)
      // Nothing is kept, and no session meets it, before it works, unless the person wants that.
      const trial = { all: () => new Map([...keys.all(), [name, whole]]) }
      const tried = await assemble(settings, { keys: trial, clock }).test(name)
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
    test: async (name) => (book.has(name) ? test(name) : null),
  })
}

/** A model whose provider was removed keeps its name: no epoch opens for another, and whoever opens it is told. */
function goneSetup(model: string, dialect: Dialect | null): ModelSetup {
  return setupOf({ model, adapter: 'openai-chat', dialect: dialect ?? 'tags' })
}

/** The key that was kept goes to the address that it was kept for, and to no other. */
function mergedEntry(before: EnteredProvider = {}, entry: EnteredProvider): EnteredProvider {
  const isMoved = entry.baseUrl !== undefined && entry.baseUrl !== before.baseUrl
  const { key: _, ...rest } = before
  return isMoved ? { ...rest, ...entry } : { ...before, ...entry }
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
