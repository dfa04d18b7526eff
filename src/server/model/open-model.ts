import { createHash } from 'node:crypto'
import { isSameProtocol, type ModelSetup } from '../../protocol/events/epoch.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import type { KeySource } from './keys/key-source.ts'
import { type Model, ModelError } from './model.ts'
import { withOffer } from './offer-models.ts'
import { withoutSecrets } from './keys/redact.ts'
import type { ProviderBook } from './book/provider-book.ts'
import type { Provider } from './providers.ts'
import type { Agents } from './transport/agents.ts'

/**
 * Makes something once for each key, and remembers it unless that failed: what failed once, for want of memory or a
 * file, may work the next time.
 */
export function rememberUnlessFailed<T>(): (key: string, make: () => Promise<T>) => Promise<T> {
  const made = new Map<string, Promise<T>>()
  return async (key, make) => {
    const one = made.get(key) ?? make()
    made.set(key, one)
    for (const oldest of [...made.keys()].slice(0, -most)) made.delete(oldest)
    try {
      return await one
    } catch (error) {
      if (made.get(key) === one) made.delete(key)
      throw error
    }
  }
}

/** Keys may be renewed by the hour; whoever uses more models at once pays with opening one again. */
const most = 50

export interface OpenerDeps {
  book: ProviderBook
  source: KeySource
  agents: Agents
}

export function createModelOpener({ book, source, agents }: OpenerDeps) {
  const opened = rememberUnlessFailed<Model>()

  async function open(setup: ModelSetup, signal?: AbortSignal): Promise<Result<Model, string>> {
    const found = book.find(setup.model)
    if (!found.ok) return found
    const { provider, name } = found.value
    const problem = book.problemOf(provider)
    if (problem !== null) return refused(problem)
    if (!isSameProtocol(setup, provider)) return refused(changedProtocol(setup.model, provider))
    const reached = await book.reach(provider, signal)
    if (!reached.ok) return reached
    const { baseUrl, apiKey, headers } = reached.value
    const who = whoOf(provider, book.addressOf(provider))
    // Another key, address or set-up is another model.
    const key = fingerprint([setup, baseUrl, apiKey, headers])
    const model = await opened(key, () =>
      provider.open({ setup, name, who, baseUrl, apiKey, headers, agents }),
    )
    const others = async () => {
      const { models } = await book.listOf(provider, { fresh: true })
      return models.map((one) => `${provider.id}/${one.name}`)
    }
    const offering = withOffer(withoutSecrets(model, reached.value), { name: setup.model, others })
    return ok(provider.own?.keyCommand === undefined ? offering : forgetting(offering, provider))
  }

  /** A key that is refused is not kept: the command may have a newer one. */
  function forgetting(model: Model, provider: Provider): Model {
    return {
      ...model,
      async *reply(request, options) {
        try {
          yield* model.reply(request, options)
        } catch (error) {
          if (error instanceof ModelError && error.code === 'model_auth') source.distrust(provider)
          throw error
        }
      },
    }
  }

  return { open }
}

function fingerprint(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** The conversation is written in the protocol of its epoch; the next prompt begins another. */
function changedProtocol(model: string, { label, adapter }: Provider): string {
  return `${label} is set up for another protocol now (${adapter}) than ${model} had when this was asked. Give the prompt again.`
}

function whoOf({ label, baseUrl }: Provider, address: string | null): string {
  return address === null || address === baseUrl ? label : `The model server at ${address}`
}
