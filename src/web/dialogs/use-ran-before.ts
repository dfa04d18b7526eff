import { useEffect, useState } from 'react'
import { pastInputs } from '../composer/past-inputs.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'

/** More would bury the rest of the list. */
const offered = 12

/** Commands of the team that ran lately, as they would be typed. */
export function useRanBefore(): readonly string[] {
  const { client } = usePage()
  const { id } = useSession()
  const [lines, setLines] = useState<readonly string[]>([])
  useEffect(() => {
    const stop = new AbortController()
    pastInputs(client, { session: id, kind: 'shell', search: {}, signal: stop.signal }).then(
      (found) => setLines(found.slice(0, offered).map(({ text }) => `!${text}`)),
      () => undefined,
    )
    return () => stop.abort()
  }, [client, id])
  return lines
}
