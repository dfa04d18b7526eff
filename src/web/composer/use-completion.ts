import { useEffect, useState } from 'react'
import type { Completion, SubmitAs } from '../../protocol/completion.ts'
import { inputRoutes } from '../../protocol/input-routes.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'

interface Asked {
  text: string
  cursor: number
  as: SubmitAs
}

/** A pause in typing; a question for each letter would only be overtaken by the next. */
const pauseMs = 80

/** Words that can be completed begin so; everything else is prose. */
function isWorthAsking({ text, cursor, as }: Asked): boolean {
  if (text.trim() === '') return false
  const before = text.slice(0, cursor)
  return as === 'run' || /^\s*[/!]/.test(before) || /(^|\s)@\S*$/.test(before)
}

/** What could stand at the cursor, as the session sees it. Null when there is nothing to offer. */
export function useCompletion(asked: Asked, isWanted: boolean): Completion | null {
  const { client } = usePage()
  const { id } = useSession()
  const [completion, setCompletion] = useState<{ of: string; found: Completion } | null>(null)
  const { text, cursor, as } = asked
  const isAsking = isWanted && isWorthAsking(asked)
  useEffect(() => {
    if (!isAsking) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const query = { text, cursor, as }
      client.call(inputRoutes.complete, { params: { id }, query, signal: stop.signal }).then(
        (found) => setCompletion({ of: text, found }),
        // Completion is a help; without it one types on.
        () => setCompletion(null),
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [client, id, isAsking, text, cursor, as])
  const isFresh = isAsking && completion?.of === text && completion.found.items.length > 0
  return isFresh ? completion.found : null
}
