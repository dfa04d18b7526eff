import { useEffect, useMemo, useRef } from 'react'
import type { InputKind } from '../../protocol/completion.ts'
import { limits } from '../../protocol/limits.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { pastInputs } from './past-inputs.ts'

/** Walks through earlier inputs, newest first; what was being typed is where one comes back to. */
export interface PastInputs {
  /** The one before; null at the oldest. */
  back(present: string): Promise<string | null>
  /** The one after, at last what was being typed; null when one is there already. */
  forth(): Promise<string | null>
  /** Typing ends the walk. */
  leave(): void
  /** A line that was cleared is the newest one. */
  cleared(text: string): void
}

interface Walk {
  draft: string
  inputs: Promise<readonly string[]>
  at: number
}

export function usePastInputs(kind: InputKind): PastInputs {
  const { client } = usePage()
  const { id } = useSession()
  const walk = useRef<Walk | null>(null)
  const lastCleared = useRef('')
  useEffect(
    () => () => {
      walk.current = null
    },
    [id, kind],
  )

  return useMemo(() => {
    async function load(present: string): Promise<readonly string[]> {
      const prefix = present.trim() === '' ? '' : present
      const search = prefix === '' ? {} : { prefix }
      const found =
        prefix.length > limits.queryChars
          ? []
          : await pastInputs(client, { session: id, kind, search }).catch(() => [])
      const texts = [lastCleared.current, ...found.map(({ text }) => text)]
      return texts.filter((text) => text !== '' && text !== present && text.startsWith(prefix))
    }

    /** Steps that overtake each other are still taken one after the other. */
    async function step(by: 1 | -1): Promise<string | null> {
      const mine = walk.current
      const inputs = (await mine?.inputs) ?? []
      // Typing, or another walk, was faster.
      if (!mine || walk.current !== mine) return null
      const next = mine.at + by
      if (next < -1 || next >= inputs.length) return null
      mine.at = next
      return inputs[next] ?? mine.draft
    }

    return {
      back(present) {
        walk.current ??= { draft: present, inputs: load(present), at: -1 }
        return step(1)
      },
      forth: () => step(-1),
      leave() {
        walk.current = null
      },
      cleared(text) {
        walk.current = null
        lastCleared.current = text
      },
    }
  }, [client, id, kind])
}
