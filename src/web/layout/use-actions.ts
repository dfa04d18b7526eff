import { useEffect, useMemo } from 'react'
import type { SessionActions } from '../state/session.ts'
import { isPressed, isTyping, type Action } from '../dialogs/actions.ts'
import { useClear } from '../sessions/use-clear.ts'
import { composerOf, focusComposer } from '../state/composer-state.ts'
import { dialog } from '../state/dialog.ts'
import { nextTheme } from '../state/next-theme.ts'
import { change, settings } from '../state/settings.ts'
import { complain } from '../state/toasts.ts'

/** What can be done from anywhere in a session. The keys work while no dialog is open. */
export function useActions(
  session: SessionActions,
  { stop, replay }: { stop: () => void; replay: () => void },
): readonly Action[] {
  const clear = useClear()
  const actions = useMemo<readonly Action[]>(
    () => [
      { id: 'palette', label: 'All commands', keys: 'Ctrl+K', act: () => dialog.set('palette') },
      { id: 'help', label: 'Help', keys: '?', act: () => dialog.set('help') },
      { id: 'write', label: 'Write', keys: '/', act: focusComposer },
      { id: 'ask', label: 'Go to the approval that waits', keys: 'Alt+A', act: focusAsk },
      { id: 'stop', label: 'Stop the turn or the command', keys: 'Alt+S', act: stop },
      {
        id: 'new',
        label: 'Clear: new session in this folder',
        keys: 'Alt+N',
        act: () => void clear().catch(complain),
      },
      { id: 'new-in', label: 'New session in another folder…', act: () => dialog.set('new') },
      {
        id: 'bash',
        label: 'Bash mode: every line runs',
        keys: 'Alt+B',
        act: () => enterBash(session),
      },
      { id: 'terminal', label: 'Show or hide the terminal', keys: 'Ctrl+`', act: toggleTerminal },
      { id: 'list', label: 'Show or hide the sessions', keys: 'Ctrl+B', act: toggleList },
      { id: 'find', label: 'Search sessions', keys: 'Alt+F', act: focusSearch },
      { id: 'restart', label: 'Restart the shell', act: () => void session.interrupt('restart') },
      { id: 'replay', label: 'Replay the terminal’s recording', act: replay },
      { id: 'models', label: 'Choose the model…', act: () => dialog.set('models') },
      { id: 'team', label: 'Team: repos and tasks…', act: () => dialog.set('team') },
      { id: 'export', label: 'Export…', act: () => dialog.set('export') },
      { id: 'theme', label: 'Next theme: system, dark, light', act: () => nextTheme() },
    ],
    [session, stop, replay, clear],
  )
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (dialog.get() !== 'none' || event.isComposing) return
      const pressed = actions.find(
        ({ keys }) =>
          keys !== undefined && isPressed(keys, event) && !(keys.length === 1 && isTyping(event)),
      )
      if (!pressed) return
      event.preventDefault()
      pressed.act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [actions])
  return actions
}

function enterBash({ id }: SessionActions): void {
  const { mode } = composerOf(id)
  mode.set(mode.get() === 'bash' ? 'chat' : 'bash')
  focusComposer()
}

function toggleTerminal(): void {
  change({ terminalOpen: !settings.get().terminalOpen })
}

function toggleList(): void {
  change({ listOpen: !settings.get().listOpen })
}

function focusSearch(): void {
  change({ listOpen: true })
  requestAnimationFrame(() => document.querySelector<HTMLInputElement>('#session-search')?.focus())
}

/** The oldest one that is drawn; the list follows its end, where it stands. */
export function focusAsk(): void {
  document.querySelector<HTMLElement>('.ask-card')?.focus()
}
