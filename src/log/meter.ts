import type { ModelSetup } from '../protocol/events/epoch.ts'
import type { Message } from '../protocol/events/message.ts'
import type { Meter, Price, Spent, Usage } from '../protocol/events/turn.ts'
import { limits } from '../protocol/limits.ts'
import { noUsage } from './state.ts'

type Reply = Extract<Message, { role: 'assistant' }>

/** Another model counts the same words otherwise: how full it is shows with its first reply. */
export function newModel(
  { spent }: Meter,
  { contextTokens, price }: Pick<ModelSetup, 'contextTokens' | 'price'>,
): Meter {
  return { context: null, size: contextTokens ?? null, price: price ?? null, spent }
}

/** The meter after a reply. A provider that says nothing is not guessed at. */
export function countReply(meter: Meter, event: Reply): Meter {
  const { input, output } = event.usage
  return {
    ...meter,
    context: input > 0 ? input + output : meter.context,
    spent: spend(meter.spent, event, costOf(event, meter.price)),
  }
}

/** Models beyond the cap. */
const others = 'other models'

function spend(all: readonly Spent[], event: Reply, usd: number | null): Spent[] {
  const usage = addUsage(event.usage, event.retried ?? noUsage)
  if (!hasUsage(usage)) return [...all]
  const own = (event.by.kind === 'model' && event.by.name) || others
  const isKnown = all.some(({ model }) => model === own)
  const model = isKnown || all.length < limits.meteredModels - 1 ? own : others
  const before = all.find((each) => each.model === model) ?? unspent(model)
  const after = addReply(before, usage, usd)
  return before.replies === 0
    ? [...all, after]
    : all.map((each) => (each.model === model ? after : each))
}

export function unspent(model: string): Spent {
  return { model, replies: 0, usage: noUsage, usd: null, unpriced: 0 }
}

export function addReply(spent: Spent, usage: Usage, usd: number | null): Spent {
  return {
    ...spent,
    replies: spent.replies + 1,
    usage: addUsage(spent.usage, usage),
    usd: usd === null ? spent.usd : (spent.usd ?? 0) + usd,
    unpriced: spent.unpriced + (usd === null ? 1 : 0),
  }
}

/** US dollars for a reply and the attempts before it; null where no price, or no count, is known. */
export function costOf(
  { usage, retried }: Pick<Reply, 'usage' | 'retried'>,
  price: Price | null,
): number | null {
  const counted = [usage, ...(retried ? [retried] : [])].filter(hasUsage)
  const costs = counted.map((each) => priceOf(each, price))
  if (costs.length === 0) return null
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0)
}

const million = 1_000_000

function priceOf({ input, output, cacheRead, cacheWrite }: Usage, price: Price | null) {
  if (price === null || input > (price.upTo ?? Infinity)) return null
  const rest = Math.max(0, input - cacheRead - cacheWrite)
  const whole =
    rest * price.input +
    cacheRead * (price.cacheRead ?? price.input) +
    cacheWrite * (price.cacheWrite ?? price.input) +
    output * price.output
  return whole / million
}

/** Both together; they are of one model. */
export function addSpent(a: Spent | undefined, b: Spent): Spent {
  if (a === undefined) return b
  return {
    model: b.model,
    replies: a.replies + b.replies,
    usage: addUsage(a.usage, b.usage),
    usd: a.usd === null && b.usd === null ? null : (a.usd ?? 0) + (b.usd ?? 0),
    unpriced: a.unpriced + b.unpriced,
  }
}

/** All models of a session together. */
export function spentIn({ spent }: Meter): Spent {
  return spent.reduce<Spent>((sum, each) => addSpent(sum, { ...each, model: '' }), unspent(''))
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  }
}

/** Whether a provider reported anything. */
export function hasUsage({ input, output }: Usage): boolean {
  return input > 0 || output > 0
}
