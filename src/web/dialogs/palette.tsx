import { useState } from 'react'
import { composerOf } from '../state/composer-state.ts'
import { closeDialog } from '../state/dialog.ts'
import { usePage } from '../state/page.ts'
import { goTo } from '../state/place.ts'
import { useSession } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { useSubmit } from '../composer/use-submit.ts'
import { titleOf } from '../sessions/title-of.ts'
import { lineOf, type Action } from './actions.ts'
import { Picker, type PickerItem } from './picker.tsx'
import { useCommands } from './use-commands.ts'
import { useRanBefore } from './use-ran-before.ts'

/** Everything that can be done, by a few letters of it. */
export function Palette({ actions }: { actions: readonly Action[] }) {
  const { sessions } = usePage()
  const { id } = useSession()
  const composer = composerOf(id)
  const submit = useSubmit(composer)
  const commands = useCommands()
  const ran = useRanBefore()
  const all = useStore(sessions.sessions) ?? []
  const [words, setWords] = useState('')
  const items: PickerItem[] = [
    ...actions
      .filter((action) => action.id !== 'palette')
      .map(({ id: name, label, keys, act }) => ({
        id: name,
        label,
        act,
        ...(keys !== undefined && { keys }),
      })),
    ...commands.map((command) => ({
      id: `command ${command.name}`,
      label: command.usage,
      hint: command.summary,
      act() {
        const { text, isWhole } = lineOf(command)
        if (isWhole) submit(text, 'auto')
        else composer.put(text)
      },
    })),
    ...ran.map((text) => ({
      id: `ran ${text}`,
      label: text,
      hint: 'ran before',
      act: () => composer.put(text),
    })),
    ...all
      .filter((session) => session.id !== id)
      .slice(0, 50)
      .map((session) => ({
        id: session.id,
        label: `Go to: ${titleOf(session)}`,
        hint: session.workspace,
        act: () => goTo(session.id),
      })),
  ]
  return (
    <Picker
      title="Commands"
      placeholder="What do you want to do?"
      words={words}
      onWords={setWords}
      items={items.filter((item) => hasLetters(`${item.label} ${item.hint ?? ''}`, words))}
      onClose={closeDialog}
    />
  )
}

/** All words, in any order. */
function hasLetters(text: string, words: string): boolean {
  const lower = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}
