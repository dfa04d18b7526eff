import type { SessionState } from '../log/state.ts'
import { modeWords } from '../protocol/events/approval-mode.ts'
import type { CommandInfo } from '../protocol/http/completion.ts'
import type { Press } from './composer/keys.ts'
import type { View } from './fold/view.ts'
import { isQuiet, mayAdopt } from './status.ts'
import { whoDrives } from './words/who.ts'

/** In the order of a palette; first what the moment asks for. */
export const actionGroups = ['Now', 'Session', 'Terminal', 'Page'] as const

const actions = [
  { group: 'Now', id: 'ask', label: 'Go to the approval that waits', keys: 'Alt+A' },
  { group: 'Now', id: 'stop', label: 'Stop the turn or the command', keys: 'Alt+S' },
  { group: 'Now', id: 'take', label: 'Take over the keyboard of the terminal' },
  { group: 'Now', id: 'hand-back', label: 'Hand the keyboard of the terminal back to the model' },
  { group: 'Now', id: 'adopt', label: 'Adopt the shell that waits in the terminal' },
  { group: 'Session', id: 'write', label: 'Go to the composer', keys: '/' },
  { group: 'Session', id: 'bash', label: 'Bash mode: every line runs', keys: 'Alt+B' },
  { group: 'Session', id: 'new', label: 'Clear: new session in this folder', keys: 'Alt+N' },
  { group: 'Session', id: 'new-in', label: 'New session in another folder…' },
  { group: 'Session', id: 'models', label: 'Choose the model…' },
  {
    group: 'Session',
    id: 'private',
    label: ({ private: isPrivate }: SessionState) =>
      isPrivate
        ? 'Private mode off: the model reads along again'
        : 'Private mode on: the model sees nothing of what is run',
  },
  {
    group: 'Session',
    id: 'approval',
    label: ({ approval }: SessionState) =>
      `Next mode of approval; now: ${modeWords[approval].name} (Shift+Tab in the composer)`,
  },
  { group: 'Session', id: 'export', label: 'Export…' },
  { group: 'Session', id: 'team', label: 'Team: repos and tasks…' },
  { group: 'Terminal', id: 'terminal', label: 'Show or hide the terminal', keys: 'Ctrl+`' },
  { group: 'Terminal', id: 'replay', label: 'Replay the terminal’s recording' },
  {
    group: 'Terminal',
    id: 'restart',
    label: 'Restart the shell: variables, functions and jobs are lost',
  },
  { group: 'Page', id: 'palette', label: 'All commands', keys: 'Ctrl+K' },
  { group: 'Page', id: 'help', label: 'Help: keys and commands', keys: '?' },
  { group: 'Page', id: 'find', label: 'Search sessions', keys: 'Alt+F' },
  { group: 'Page', id: 'list', label: 'Show or hide the sessions', keys: 'Ctrl+B' },
  { group: 'Page', id: 'theme', label: 'Next theme: system, dark, light' },
] as const

export type ActionId = (typeof actions)[number]['id']

/** Something a UI can do, with the key that does it; help and palette are drawn from these. */
export interface Action {
  id: ActionId
  label: string
  group: (typeof actionGroups)[number]
  keys?: string
  /** Nothing would come of it now: only help tells of its key. */
  isIdle: boolean
}

export function actionsOf(view: View): readonly Action[] {
  const { who } = whoDrives(view)
  const idle: Partial<Record<ActionId, boolean>> = {
    ask: view.state.asks.length === 0,
    stop: isQuiet(view),
    take: who !== 'model',
    'hand-back': who !== 'taken',
    adopt: !mayAdopt(view),
  }
  return actions.map(({ label, ...action }) => ({
    ...action,
    label: typeof label === 'string' ? label : label(view.state),
    isIdle: idle[action.id] ?? false,
  }))
}

/** The action that a key does now. Where text is written a single letter is typed, not pressed. */
export function pressedAction(
  actions: readonly Action[],
  press: Press & { code: string },
  { isTyping }: { isTyping: boolean },
): Action | null {
  const found = actions.find(({ keys = '', isIdle }) => {
    const isTyped = keys.length === 1 && isTyping
    return keys !== '' && !isIdle && !isTyped && isPressed(keys, press)
  })
  return found ?? null
}

/** "Ctrl+K", "Alt+N", "Ctrl+`", "?": as it is shown, and as it is recognised. */
function isPressed(keys: string, press: Press & { code: string }): boolean {
  const parts = keys.split('+')
  const key = parts.pop() ?? ''
  const control = press.ctrlKey || press.metaKey
  if (control !== parts.includes('Ctrl') || press.altKey !== parts.includes('Alt')) return false
  // With Shift it is another key, of the browser's perhaps; a sign may need it to be written.
  if (parts.length > 0 && press.shiftKey) return false
  if (press.key.toLowerCase() === key.toLowerCase()) return true
  // Some layouts write letters of another script, or other ones with Alt: then the key's place counts.
  return !/^[a-z]$/i.test(press.key) && press.code === `Key${key.toUpperCase()}`
}

/** The line a palette puts into the composer, for a command that needs more words. */
export function lineOf(command: CommandInfo): { text: string; isWhole: boolean } {
  const isWhole = command.arguments.every((argument) => argument.isOptional)
  return { text: `/${command.name}${isWhole ? '' : ' '}`, isWhole }
}
