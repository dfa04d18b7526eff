import type { Press } from './composer/keys.ts'
import type { ShownGrade } from './words/ask.ts'

/** A person's way to answer a question that has the focus, or to get to an answer. */
export type AskAction = 'run' | 'deny' | 'explain' | 'edit' | 'more' | 'all'

/** The key of each, as it is shown. What is hard to undo has another one for Run, and its Enter denies. */
export function askKeys(grade: ShownGrade | null): Readonly<Record<AskAction, string>> {
  const rest = { explain: 'x', edit: 'e', more: 'm', all: 'a' }
  return grade === 'destroys'
    ? { run: 'Shift+R', deny: 'Enter', ...rest }
    : { run: 'Enter', deny: 'd', ...rest }
}

/** The action of a key; null where it has none. A key that is held down was meant for something else. */
export function askAction(
  press: Press & { repeat: boolean },
  grade: ShownGrade | null,
): AskAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey || press.repeat) return null
  const key = press.shiftKey ? `Shift+${press.key}` : press.key
  if (key === 'd') return 'deny'
  const keys = askKeys(grade)
  return actions.find((action) => keys[action] === key) ?? null
}

const actions: readonly AskAction[] = ['run', 'deny', 'explain', 'edit', 'more', 'all']

/** The keys as help tells them. */
export const askKeyHelp: readonly (readonly [string, string])[] = [
  ['Enter', 'run it; deny it where it is hard to undo'],
  ['Shift+R', 'run it although it is hard to undo'],
  ['d', 'deny it'],
  ['x', 'deny it and explain'],
  ['e', 'edit it first'],
  ['m', 'allow more than this once'],
  ['a', 'show all of a long command'],
]
