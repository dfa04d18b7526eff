import type { EndedTurn, SentRequest } from '../../view/view.ts'
import { bytes } from '../chat/bytes.ts'

const count = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** What the last turn cost, and what of it was known already. Nothing is shown that nobody measured. */
export function Meter({ turn, last }: { turn: EndedTurn | null; last: SentRequest | null }) {
  const parts = turn ? [...tokens(turn), ...reuse(last)] : []
  if (parts.length === 0) return null
  const all = parts.join(' · ')
  return (
    <span className="meter" title={`${about}: ${all}`}>
      <span aria-hidden="true">{short(turn) ?? all}</span>
      <span className="sr-only">{all}</span>
      {last?.witness?.ok === false && <strong> · prefix broken</strong>}
    </span>
  )
}

const about =
  'The last turn, in tokens as the provider counted them, and how much of the last request it had been sent before'

/** What is worth a glance; the rest is in the title. */
function short(turn: EndedTurn | null): string | null {
  if (!turn || turn.usage.input === 0) return null
  const { input, output, cacheRead } = turn.usage
  return cacheRead > 0
    ? `${share(turn)}% cached`
    : `${count.format(input)} in · ${count.format(output)} out`
}

function share({ usage: { input, cacheRead } }: EndedTurn): number {
  return Math.round((cacheRead / input) * 100)
}

function tokens(turn: EndedTurn): readonly string[] {
  const { input, output, cacheRead } = turn.usage
  if (input === 0) return []
  const cached = cacheRead > 0 ? [`${count.format(cacheRead)} cached (${share(turn)}%)`] : []
  return [`${count.format(input)} in`, `${count.format(output)} out`, ...cached]
}

function reuse(last: SentRequest | null): readonly string[] {
  if (!last?.witness || last.witness.prefixBytes === 0) return []
  return [`${bytes(last.witness.prefixBytes)} of ${bytes(last.bytes)} reused`]
}
