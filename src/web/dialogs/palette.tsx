import { useState } from 'react'
import { closeDialog, withChat } from '../state/panels.ts'
import { usePage, goTo } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { useStore, useLoaded } from '../state/use-store.ts'
import { titleOf } from '../../view/words/who.ts'
import { actionGroups, lineOf } from '../../view/actions.ts'
import type { PageAction } from '../layout/use-actions.ts'
import { Picker, type PickerItem } from './picker.tsx'
import { useCommands } from './use-commands.ts'
import { ranBefore } from '../../client/input.ts'

/** Everything that can be done, by a few letters of it. */
export function Palette({ actions }: { actions: readonly PageAction[] }) {
  const { sessions } = usePage()
  const { id, composer } = useSession()
  const put = (text: string) => withChat(() => composer.dispatch({ type: 'put', text, as: 'auto' }))
  const commands = useCommands()
  const ran = useRanBefore()
  const all = useStore(sessions.list) ?? []
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
        if (isWhole) composer.dispatch({ type: 'said', text })
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

/** The actions that would do something now; the palette itself is open already. */
function offered(actions: readonly PageAction[], group: PageAction['group']): PickerItem[] {
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

/** More would bury the rest of the list. */
const shownRuns = 12

/** Commands of the team that ran lately, as they would be typed. */
function useRanBefore(): readonly string[] {
  const { client } = usePage()
  const { id } = useSession()
  const load = (signal: AbortSignal) => ranBefore(client, { session: id, signal })
  return useLoaded([], load, [client, id]).slice(0, shownRuns)
}
