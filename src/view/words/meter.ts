import { money, shortCount } from '../../base/amounts.ts'
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

/** The cost of a session. Nothing is told that nobody measured: null before a provider has counted anything. */
export function meterWords({
  state: { meter },
  lastTurn,
  lastRequest,
}: Pick<View, 'state' | 'lastTurn' | 'lastRequest'>): MeterWords | null {
  const all = spentIn(meter)
  const context = contextWords(meter)
  const isBroken = lastRequest?.witness?.ok === false
  if (context === null && all.replies === 0 && !isBroken) return null
  const cost = costWords(all)
  const turn = lastTurn && lastTurn.usage.input > 0 ? lastTurn : null
  const rows: [string, string][] = [
    ...row('Context', context && `${context.long}${percent(meter)}`),
    ...row(
      'Last turn',
      turn && joined(usageWords(turn.usage), turn.usd === null ? null : money(turn.usd)),
    ),
    ...row(
      'This session',
      all.replies > 0 ? joined(usageWords(all.usage), cost ?? 'no price known') : null,
    ),
    ...(meter.spent.length > 1 ? meter.spent.map(modelRow) : []),
    ...row('Sent before', reuseWords(lastRequest)),
  ]
  const short = [context?.short ?? null, cost].filter((words) => words !== null).join(' · ')
  return {
    short: short === '' ? `${shortCount(all.usage.input + all.usage.output)} tokens` : short,
    rows,
    isBroken,
    isNearlyFull: (share(meter) ?? 0) >= nearlyFull,
  }
}

const row = (name: string, value: string | null): [string, string][] =>
  value === null ? [] : [[name, value]]

const joined = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(' · ')

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
export function usageWords({ input, output, cacheRead }: Usage): string {
  const cached =
    cacheRead > 0
      ? ` · ${shortCount(cacheRead)} cached (${Math.round((cacheRead / input) * 100)}%)`
      : ''
  return `${shortCount(input)} in · ${shortCount(output)} out${cached}`
}

/** Null where no price is known. */
export function costWords({ usd, unpriced }: Spent): string | null {
  return usd === null ? null : money(usd, { isPartial: unpriced > 0 })
}

function modelRow(spent: Spent): [string, string] {
  return [spent.model, joined(usageWords(spent.usage), costWords(spent) ?? 'no price known')]
}

function reuseWords(last: SentRequest | null): string | null {
  if (!last?.witness || last.witness.prefixBytes === 0) return null
  return `${bytes(last.witness.prefixBytes)} of the last request’s ${bytes(last.bytes)}`
}
