import { useCallback, useRef } from 'react'
import type { InputKind } from '../../protocol/completion.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { pastInputs } from './past-inputs.ts'

/** Walks through earlier inputs, newest first; what was being typed is where one comes back to. */
export interface PastInputs {
  /** The one before; null at the oldest. */
  back(present: string): Promise<string | null>
  /** The one after, at last what was being typed; null when one is there already. */
  forth(): string | null
  /** Typing ends the walk. */
  leave(): void
}

export function usePastInputs(kind: InputKind): PastInputs {
  const { client } = usePage()
  const { id } = useSession()
  const walk = useRef<{ draft: string; inputs: readonly string[]; at: number } | null>(null)

  const back = useCallback(
    async (present: string) => {
      walk.current ??= { draft: present, inputs: await load(), at: -1 }
      const next = walk.current.inputs[walk.current.at + 1]
      if (next === undefined) return null
      walk.current.at += 1
      return next

      async function load(): Promise<readonly string[]> {
        const search = present.trim() === '' ? {} : { prefix: present }
        const found = await pastInputs(client, { session: id, kind, search }).catch(() => [])
        return found.map(({ text }) => text).filter((text) => text !== present)
      }
    },
    [client, id, kind],
  )
  const forth = useCallback(() => {
    const { current } = walk
    if (!current || current.at < 0) return null
    current.at -= 1
    return current.inputs[current.at] ?? current.draft
  }, [])
  const leave = useCallback(() => {
    walk.current = null
  }, [])
  return { back, forth, leave }
}
