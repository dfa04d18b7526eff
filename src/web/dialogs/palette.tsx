import { useState } from 'react'
import { composerOf } from '../state/composer-state.ts'
import { closeDialog } from '../state/dialog.ts'
import { usePage } from '../state/page.ts'
import { withChat } from '../state/panels.ts'
import { goTo } from '../state/place.ts'
import { useSession } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { useSubmit } from '../composer/use-submit.ts'
import { titleOf } from '../sessions/title-of.ts'
import { actionGroups, lineOf, type Action } from './actions.ts'
import { Picker, type PickerItem } from './picker.tsx'
import { useCommands } from './use-commands.ts'
import { useRanBefore } from './use-ran-before.ts'

/** Everything that can be done, by a few letters of it. */
export function Palette({ actions }: { actions: readonly Action[] }) {
  const { sessions } = usePage()
  const { id } = useSession()
  const composer = composerOf(id)
  const put = (text: string) => withChat(() => composer.put(text))
  const submit = useSubmit(composer)
  const commands = useCommands()
  const ran = useRanBefore()
  const all = useStore(sessions.sessions) ?? []
  const [words, setWords] = useState('')
  const items: PickerItem[] = [
    ...actionGroups.flatMap((group) => offered(actions, group)),
    ...commands.map((command) => ({
      group: 'Commands',
      id: `command ${command.name}`,
      label: command.usage,
      hint: command.summary,
      act() {
        const { text, isWhole } = lineOf(command)
        if (isWhole) submit(text, 'auto')
        else put(text)
      },
    })),
    ...ran.map((text) => ({
      group: 'Ran before',
      id: `ran ${text}`,
      label: text,
      act: () => put(text),
    })),
    ...all
      .filter((session) => session.id !== id)
      .slice(0, 50)
      .map((session) => ({
        group: 'Go to',
        id: session.id,
        label: titleOf(session),
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
      items={items.filter((item) =>
        hasLetters(`${item.group ?? ''} ${item.label} ${item.hint ?? ''}`, words),
      )}
      onClose={closeDialog}
    />
  )
}

/** What would do something now; the palette itself is open already. */
function offered(actions: readonly Action[], group: Action['group']): PickerItem[] {
  return actions
    .filter((action) => action.group === group && action.id !== 'palette' && !action.isIdle)
    .map(({ id, label, keys, act }) => ({
      group,
      id,
      label,
      act,
      ...(keys !== undefined && { keys }),
    }))
}

/** All words, in any order. */
function hasLetters(text: string, words: string): boolean {
  const lower = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}
