import { useState } from 'react'
import { kindOf } from '../../view/composer/composing.ts'
import { Picker } from '../dialogs/picker.tsx'
import { clockTime } from '../../view/words/clock.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { useStore, useLoaded } from '../state/use-store.ts'
import { pastInputs } from '../../client/input.ts'

/** More than one reads through. */
const shownInputs = 50

/** Ctrl+R: earlier inputs that have these letters. */
export function HistorySearch() {
  const { client } = usePage()
  const { id, composer } = useSession()
  const { dispatch } = composer
  const kind = kindOf(useStore(composer))
  const [words, setWords] = useState('')
  const search = words === '' ? {} : { q: words }
  const load = async (signal: AbortSignal) => {
    const inputs = await pastInputs(client, { session: id, kind, search, signal })
    return { words, inputs: inputs.slice(0, shownInputs) }
  }
  const nothing: Awaited<ReturnType<typeof load>> | null = null
  const found = useLoaded(nothing, load, [client, id, kind, words])
  const inputs = found?.inputs ?? []
  // Inputs that were found for fewer letters are narrowed here until the next answer comes.
  const fitting = inputs.filter(({ text }) => hasInOrder(text, words))
  const items = fitting.map(({ text, at }) => ({
    id: `${at} ${text}`,
    label: text,
    hint: clockTime(at, Date.now()),
    act: () => dispatch({ type: 'put', text, as: kind === 'shell' ? 'run' : 'auto' }),
  }))
  return (
    <Picker
      title={kind === 'shell' ? 'Earlier commands' : 'Earlier inputs'}
      placeholder="Letters of it, in order"
      words={words}
      onWords={setWords}
      items={items}
      // Only an answer for these very letters says that nothing has them.
      none={found?.words === words ? undefined : ''}
      onClose={() => dispatch({ type: 'search-closed' })}
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
