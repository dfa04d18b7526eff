import { useEffect, useState } from 'react'
import type { Client } from '../../../client/connect.ts'
import { routes } from '../../../protocol/routes.ts'
import type { SessionId } from '../../../protocol/seq.ts'
import { readCast, type Cast } from './cast.ts'

type Found =
  | { state: 'loading' }
  | { state: 'ready'; cast: Cast }
  | { state: 'failed'; message: string }

export function useCast({ document }: Pick<Client, 'document'>, session: SessionId): Found {
  const [found, setFound] = useState<Found>({ state: 'loading' })
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    document(routes.export, { params: { id: session }, query: { format: 'cast' }, signal })
      .then((text) => setFound({ state: 'ready', cast: readCast(text) }))
      .catch((error: unknown) => {
        if (!signal.aborted)
          setFound({ state: 'failed', message: `The recording cannot be shown: ${wordsOf(error)}` })
      })
    return () => leaving.abort()
  }, [document, session])
  return found
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
