import { mayAdopt } from '../../view/may-adopt.ts'
import { isQuiet } from '../../view/status.ts'
import type { View } from '../../view/view.ts'
import type { Action } from '../dialogs/actions.ts'
import { composerOf, focusComposer } from '../state/composer-state.ts'
import { dialog } from '../state/dialog.ts'
import { nextTheme } from '../state/next-theme.ts'
import { showList, toggleList, toggleTerminal, withChat } from '../state/panels.ts'
import type { SessionActions } from '../state/session.ts'
import { whoDrives } from '../terminal/who-drives.ts'
import { focusAsk } from './focus-ask.ts'

/** What of a session decides which actions there are. */
export interface Moment {
  isAsked: boolean
  isBusy: boolean
  mayAdopt: boolean
  driver: ReturnType<typeof whoDrives>['who']
  isPrivate: boolean
  asksAlways: boolean
}

export function momentOf(view: View): Moment {
  return {
    isAsked: view.state.asks.length > 0,
    isBusy: !isQuiet(view),
    mayAdopt: mayAdopt(view),
    driver: whoDrives(view).who,
    isPrivate: view.state.private,
    asksAlways: view.state.approval === 'ask-all',
  }
}

/** What a session's screen does that is more than a change of something on it. */
export interface Doings {
  stop: () => void
  replay: () => void
  clear: () => void
}

export function actionsOf(
  session: SessionActions,
  moment: Moment,
  doings: Doings,
): readonly Action[] {
  return [
    ...forTheMoment(session, moment, doings),
    ...ofTheSession(session, moment, doings),
    ...ofTheTerminal(session, doings),
    ...ofThePage(),
  ]
}

function forTheMoment(session: SessionActions, moment: Moment, { stop }: Doings): Action[] {
  const at = { group: 'Now' } as const
  return [
    {
      ...at,
      id: 'ask',
      label: 'Go to the approval that waits',
      keys: 'Alt+A',
      isIdle: !moment.isAsked,
      act: () => withChat(focusAsk),
    },
    {
      ...at,
      id: 'stop',
      label: 'Stop the turn or the command',
      keys: 'Alt+S',
      isIdle: !moment.isBusy,
      act: stop,
    },
    {
      ...at,
      id: 'take',
      label: 'Take over the keyboard of the terminal',
      isIdle: moment.driver !== 'model',
      act: () => void session.drive('person'),
    },
    {
      ...at,
      id: 'hand-back',
      label: 'Hand the keyboard of the terminal back to the model',
      isIdle: moment.driver !== 'taken',
      act: () => void session.drive('model'),
    },
    {
      ...at,
      id: 'adopt',
      label: 'Adopt the shell that waits in the terminal',
      isIdle: !moment.mayAdopt,
      act: () => void session.adopt(),
    },
  ]
}

function ofTheSession(session: SessionActions, moment: Moment, { clear }: Doings): Action[] {
  const at = { group: 'Session' } as const
  const { isPrivate, asksAlways } = moment
  return [
    {
      ...at,
      id: 'write',
      label: 'Go to the composer',
      keys: '/',
      act: () => withChat(focusComposer),
    },
    {
      ...at,
      id: 'bash',
      label: 'Bash mode: every line runs',
      keys: 'Alt+B',
      act: () => withChat(() => toggleBash(session)),
    },
    { ...at, id: 'new', label: 'Clear: new session in this folder', keys: 'Alt+N', act: clear },
    { ...at, id: 'new-in', label: 'New session in another folder…', act: () => dialog.set('new') },
    { ...at, id: 'models', label: 'Choose the model…', act: () => dialog.set('models') },
    {
      ...at,
      id: 'private',
      label: isPrivate
        ? 'Private mode off: the model reads along again'
        : 'Private mode on: the model sees nothing of what is run',
      act: () => void session.update({ private: !isPrivate }),
    },
    {
      ...at,
      id: 'approval',
      label: asksAlways
        ? 'Ask only before commands that may do harm (guarded)'
        : 'Ask before every command of the model (ask-all)',
      act: () => void session.update({ approval: asksAlways ? 'guarded' : 'ask-all' }),
    },
    { ...at, id: 'export', label: 'Export…', act: () => dialog.set('export') },
    { ...at, id: 'team', label: 'Team: repos and tasks…', act: () => dialog.set('team') },
  ]
}

function ofTheTerminal(session: SessionActions, { replay }: Doings): Action[] {
  const at = { group: 'Terminal' } as const
  return [
    {
      ...at,
      id: 'terminal',
      label: 'Show or hide the terminal',
      keys: 'Ctrl+`',
      act: () => toggleTerminal(session.id),
    },
    { ...at, id: 'replay', label: 'Replay the terminal’s recording', act: replay },
    {
      ...at,
      id: 'restart',
      label: 'Restart the shell: variables, functions and jobs are lost',
      act: () => void session.interrupt('restart'),
    },
  ]
}

function ofThePage(): Action[] {
  const at = { group: 'Page' } as const
  return [
    {
      ...at,
      id: 'palette',
      label: 'All commands',
      keys: 'Ctrl+K',
      act: () => dialog.set('palette'),
    },
    {
      ...at,
      id: 'help',
      label: 'Help: keys and commands',
      keys: '?',
      act: () => dialog.set('help'),
    },
    { ...at, id: 'find', label: 'Search sessions', keys: 'Alt+F', act: focusSearch },
    { ...at, id: 'list', label: 'Show or hide the sessions', keys: 'Ctrl+B', act: toggleList },
    { ...at, id: 'theme', label: 'Next theme: system, dark, light', act: () => nextTheme() },
  ]
}

function toggleBash({ id }: SessionActions): void {
  const { mode } = composerOf(id)
  mode.set(mode.get() === 'bash' ? 'chat' : 'bash')
  focusComposer()
}

function focusSearch(): void {
  showList()
  requestAnimationFrame(() => document.querySelector<HTMLInputElement>('#session-search')?.focus())
}
