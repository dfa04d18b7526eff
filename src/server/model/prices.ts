import type { ModelSetup } from '../../protocol/events/epoch.ts'
import type { Price } from '../../protocol/events/turn.ts'
import { ok } from '../../base/result.ts'
import type { Models } from './models.ts'

export type Prices = Readonly<Record<string, Price>>

/** The day on which the table below was held against what the providers publish. */
export const pricesChecked = '2026-11-18'

const opus: Price = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }
/** Beyond this a request to these models costs more. */
const shortSonnet: Price = {
  input: 3,
  output: 15,
  cacheRead: 0.3,
  cacheWrite: 3.75,
  upTo: 200_000,
}
const shortGpt = 272_000

/**
 * List prices of the providers' own servers, from their pages or from what others published of them by that day. The cache
 * writes of Sonnet 4 and Haiku 4.5 follow from the provider's usual factor of 1.25. Models that could not be confirmed are
 * left out: no price is better than a wrong one, and the configuration can name it.
 */
const known: Prices = {
  'anthropic/claude-opus-5-5': { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  'anthropic/claude-opus-5': opus,
  'anthropic/claude-opus-4-8': opus,
  'anthropic/claude-opus-4-7': opus,
  'anthropic/claude-opus-4-6': opus,
  'anthropic/claude-opus-4-5': opus,
  'anthropic/claude-sonnet-5-5': { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  'anthropic/claude-sonnet-5': { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  'anthropic/claude-sonnet-4-6': shortSonnet,
  'anthropic/claude-sonnet-4-5': shortSonnet,
  'anthropic/claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite: 0.125,
    upTo: 100_000,
  },
  'anthropic/claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  'openai/gpt-6.1-terra': {
    input: 1,
    output: 5,
    cacheRead: 0.05,
    cacheWrite: 1.25,
    upTo: shortGpt,
  },
  'openai/gpt-6-sol': { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, upTo: shortGpt },
  'openai/gpt-6-luna': {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite: 0.125,
    upTo: shortGpt,
  },
  'openai/gpt-5.1': { input: 1.25, output: 10, cacheRead: 0.125 },
  'openai/gpt-5': { input: 1.25, output: 10, cacheRead: 0.125 },
}

/** A version of a model by its day: `-20251001`, `-2025-10-01`. */
const dated = /-\d{4}-?\d{2}-?\d{2}$/

/**
 * The price of a model by its name, `provider/name`: a person's own word goes first. Undefined where nobody knows, as at
 * an address that is not the provider's own.
 */
export function priceOf(model: string, own: Prices, { isMoved = false } = {}): Price | undefined {
  const names = [model, model.replace(dated, '')]
  for (const table of isMoved ? [own] : [own, known])
    for (const name of names) if (Object.hasOwn(table, name)) return table[name]
  return undefined
}

/** Models whose epochs say what they cost when they begin. */
export function withPrices(models: Models, own: Prices): Models {
  const priced = (setup: ModelSetup): ModelSetup => {
    const isMoved = models.isMoved?.(setup.model) ?? false
    const price = priceOf(setup.model, own, { isMoved })
    return price === undefined ? setup : { ...setup, price }
  }
  return {
    ...models,
    keep: (...given) => priced(models.keep(...given)),
    pick(...given) {
      const picked = models.pick(...given)
      return picked.ok ? ok(priced(picked.value)) : picked
    },
  }
}
