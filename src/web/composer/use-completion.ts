import { useEffect, useRef, useState } from 'react'
import type { Completion, SubmitAs } from '../../protocol/completion.ts'
import { inputRoutes } from '../../protocol/input-routes.ts'
import { limits } from '../../protocol/limits.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'

interface Asked {
  text: string
  cursor: number
  as: SubmitAs
}

export interface Completing {
  /** What could stand at the cursor, as the session sees it. Null when there is nothing to offer. */
  completion: Completion | null
  /** The session has not answered yet. */
  isAwaited: boolean
  /** What to show: until the answer comes, what was offered for the letters before. */
  shown: Completion | null
}

/** A pause in typing; a question for each letter would only be overtaken by the next. */
const pauseMs = 80

/** Words that can be completed begin so; everything else is prose. */
function isWorthAsking({ text, cursor, as }: Asked): boolean {
  if (text.trim() === '' || text.length > limits.queryChars) return false
  const before = text.slice(0, cursor)
  return as === 'run' || /^\s*[/!]/.test(before) || /(^|\s)@\S*$/.test(before)
}

export function useCompletion(asked: Asked, isWanted: boolean): Completing {
  const { client } = usePage()
  const { id } = useSession()
  const [answer, setAnswer] = useState<{ to: Asked; found: Completion | null } | null>(null)
  const { text, cursor, as } = asked
  const isAsking = isWanted && isWorthAsking(asked)
  useEffect(() => {
    if (!isAsking) return
    const stop = new AbortController()
    const query = { text, cursor, as }
    const settle = (found: Completion | null) => {
      if (!stop.signal.aborted) setAnswer({ to: query, found })
    }
    const timer = setTimeout(() => {
      client.call(inputRoutes.complete, { params: { id }, query, signal: stop.signal }).then(
        (found) => settle(found.items.length > 0 ? found : null),
        // Completion is a help; without it one types on.
        () => settle(null),
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [client, id, isAsking, text, cursor, as])

  const isFresh = answer?.to.text === text && answer.to.cursor === cursor && answer.to.as === as
  const isAwaited = isAsking && !isFresh
  const completion = isAsking && isFresh ? answer.found : null
  const last = useRef<Completion | null>(null)
  if (!isAwaited) last.current = completion
  return { completion, isAwaited, shown: last.current }
}
