import { useEffect, useState } from 'react'
import type { InputKind } from '../../protocol/completion.ts'
import { Picker } from '../dialogs/picker.tsx'
import { clockTime } from '../chat/clock-time.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { pastInputs } from './past-inputs.ts'

/** More than one reads through. */
const shownInputs = 50

interface HistorySearchProps {
  kind: InputKind
  onPick: (text: string) => void
  onClose: () => void
}

/** Ctrl+R: earlier inputs that have these letters. */
export function HistorySearch({ kind, onPick, onClose }: HistorySearchProps) {
  const { client } = usePage()
  const { id } = useSession()
  const [words, setWords] = useState('')
  const [inputs, setInputs] = useState<readonly { text: string; at: number }[]>([])
  useEffect(() => {
    const stop = new AbortController()
    const search = words === '' ? {} : { q: words }
    pastInputs(client, { session: id, kind, search, signal: stop.signal }).then(
      (found) => setInputs(found.slice(0, shownInputs)),
      () => undefined,
    )
    return () => stop.abort()
  }, [client, id, kind, words])
  // What was found for fewer letters is narrowed here until the next answer comes.
  const fitting = inputs.filter(({ text }) => hasInOrder(text, words))
  const items = fitting.map(({ text, at }) => ({
    id: `${at} ${text}`,
    label: text,
    hint: clockTime(at),
    act: () => onPick(text),
  }))
  return (
    <Picker
      title={kind === 'shell' ? 'Earlier commands' : 'Earlier inputs'}
      placeholder="Letters of it, in order"
      words={words}
      onWords={setWords}
      items={items}
      onClose={onClose}
    />
  )
}

function hasInOrder(text: string, letters: string): boolean {
  let at = 0
  for (const letter of letters.toLowerCase().replaceAll(/\s/g, '')) {
    at = text.toLowerCase().indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}
