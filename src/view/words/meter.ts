import { money, shortCount } from '../../protocol/amounts.ts'
import { spentIn } from '../../log/meter.ts'
import type { Meter, Spent, Usage } from '../../protocol/events/turn.ts'
import type { SentRequest, View } from '../fold/view.ts'
import { bytes } from './clock.ts'

export interface MeterWords {
  /** Worth a glance: how full the model is, and what the session cost. */
  short: string
  /** All that is known, a name and a value each. */
  rows: readonly (readonly [name: string, value: string])[]
  /** The request did not extend the one before it. */
  isBroken: boolean
  /** There is little room left for more. */
  isNearlyFull: boolean
}

/** From here on a person may want to begin anew with a summary. */
const nearlyFull = 0.8

type Metered = Pick<View, 'state' | 'lastTurn' | 'lastRequest'>

/** The cost of a session. Nothing is told that nobody measured: null before a provider has counted anything. */
export function meterWords(view: Metered): MeterWords | null {
  const { meter } = view.state
  const all = spentIn(meter)
  const context = contextWords(meter)
  const isBroken = view.lastRequest?.witness?.ok === false
  if (context === null && all.replies === 0 && !isBroken) return null
  return {
    short: shortWords(all, context?.short ?? null),
    rows: [
      ...row('Context', context && `${context.long}${percent(meter)}`),
      ...row('Last turn', turnWords(view)),
      ...row('This session', all.replies > 0 ? spentWords(all) : null),
      ...(meter.spent.length > 1 ? meter.spent.map(modelRow) : []),
      ...row('Sent before', reuseWords(view.lastRequest)),
    ],
    isBroken,
    isNearlyFull: (share(meter) ?? 0) >= nearlyFull,
  }
}

const row = (name: string, value: string | null): [string, string][] =>
  value === null ? [] : [[name, value]]

function shortWords(all: Spent, context: string | null): string {
  const words = [context, costWords(all)].filter((part) => part !== null).join(' · ')
  return words || `${shortCount(all.usage.input + all.usage.output)} tokens`
}

function turnWords({ lastTurn }: Metered): string | null {
  if (lastTurn === null || lastTurn.usage.input === 0) return null
  const { usage, usd } = lastTurn
  return `${usageWords(usage)}${usd === null ? '' : ` · ${money(usd)}`}`
}

export function spentWords(spent: Spent): string {
  return `${usageWords(spent.usage)} · ${costWords(spent) ?? 'no price known'}`
}

function contextWords({ context, size }: Meter): { short: string; long: string } | null {
  if (context === null) return null
  const used = shortCount(context)
  if (size === null) return { short: `${used} tokens`, long: `${used} tokens` }
  const words = `${used} of ${shortCount(size)}`
  return { short: words, long: `${words} tokens` }
}

function share({ context, size }: Meter): number | null {
  return context === null || size === null ? null : context / size
}

function percent(meter: Meter): string {
  const part = share(meter)
  return part === null ? '' : ` (${Math.round(part * 100)}%)`
}

/** "12k in · 1.2k out · 10k cached (83%)". */
function usageWords({ input, output, cacheRead }: Usage): string {
  const cached =
    cacheRead > 0
      ? ` · ${shortCount(cacheRead)} cached (${Math.round((cacheRead / input) * 100)}%)`
      : ''
  return `${shortCount(input)} in · ${shortCount(output)} out${cached}`
}

/** Null where no price is known. */
function costWords({ usd, unpriced }: Spent): string | null {
  return usd === null ? null : money(usd, { isPartial: unpriced > 0 })
}

const modelRow = (spent: Spent): [string, string] => [spent.model, spentWords(spent)]

function reuseWords(last: SentRequest | null): string | null {
  if (!last?.witness || last.witness.prefixBytes === 0) return null
  return `${bytes(last.witness.prefixBytes)} of the last request’s ${bytes(last.bytes)}`
}
