import { useEffect, useState } from 'react'
import type { CachedRequest } from '../../protocol/cache-report.ts'
import { routes } from '../../protocol/routes.ts'
import type { EndedTurn } from '../../view/view.ts'
import { bytes } from '../chat/bytes.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'

const count = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** What the last turn cost, and what of it was known already. Nothing is shown that nobody measured. */
export function Meter({ turn }: { turn: EndedTurn | null }) {
  const { client } = usePage()
  const { id } = useSession()
  const [last, setLast] = useState<CachedRequest | null>(null)
  const ended = turn?.turn
  useEffect(() => {
    if (ended === undefined) return
    let isWanted = true
    client.call(routes.cache, { params: { id } }).then(
      ({ requests }) =>
        isWanted && setLast(requests.findLast(({ witness }) => witness !== null) ?? null),
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [client, id, ended])
  const parts = turn ? [...tokens(turn), ...reuse(last)] : []
  if (parts.length === 0) return null
  return (
    <span className="meter" title={about}>
      {parts.join(' · ')}
      {last?.witness?.ok === false && <strong> · prefix broken</strong>}
    </span>
  )
}

const about =
  'The last turn: tokens as the provider counted them, and how much of the last request it had been sent before'

function tokens({ usage: { input, output, cacheRead } }: EndedTurn): readonly string[] {
  if (input === 0) return []
  const share = Math.round((cacheRead / input) * 100)
  const cached = cacheRead > 0 ? [`${count.format(cacheRead)} cached (${share}%)`] : []
  return [`${count.format(input)} in`, `${count.format(output)} out`, ...cached]
}

function reuse(last: CachedRequest | null): readonly string[] {
  if (!last?.witness || last.witness.prefixBytes === 0) return []
  return [`${bytes(last.witness.prefixBytes)} of ${bytes(last.bytes)} reused`]
}
