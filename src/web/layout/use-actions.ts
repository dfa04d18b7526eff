import { useEffect, useEffectEvent } from 'react'
import { actionsOf, pressedAction, type Action, type ActionId } from '../../view/actions.ts'
import { isComposed } from '../../view/composer/keys.ts'
import type { View } from '../../view/fold/view.ts'
import { focusComposer, focusAsk } from '../parts/focus.ts'
import { useClear } from '../sessions/use-clear.ts'
import { dialog, showList, toggleList, toggleTerminal, withChat } from '../state/panels.ts'
import { useSession, cycleMode } from '../state/session.ts'
import { nextTheme } from '../state/settings.ts'
import { complain } from '../state/toasts.ts'

/** An action of the page: `act` does it. */
export type PageAction = Action & { act: () => void }

/** The actions that work anywhere in a session. The keys work while no dialog is open. */
export function useActions(view: View, replay: () => void): readonly PageAction[] {
  const acts = useActs(view, replay)
  const actions = actionsOf(view).map((action) => ({ ...action, act: acts[action.id] }))
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isComposed(event)) return
    const pressed = pressedAction(actions, event, { isTyping: isTyping(event) })
    // A key that is still held down has done its work, also if that was to open a dialog; the browser does not get it.
    if (!pressed || (isDialog() && !event.repeat)) return
    event.preventDefault()
    if (!event.repeat) acts[pressed.id]()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return actions
}

function useActs({ state }: View, replay: () => void): Readonly<Record<ActionId, () => void>> {
  const session = useSession()
  const clear = useClear(session.id)
  return {
    ask: () => withChat(focusAsk),
    stop: () => void session.stop(),
    take: () => void session.drive('person'),
    'hand-back': () => void session.drive('model'),
    adopt: () => void session.adopt(),
    write: () => withChat(focusComposer),
    bash: () => withChat(() => session.composer.dispatch({ type: 'bash-toggled' })),
    new: () => void clear().catch(complain),
    'new-in': () => dialog.set('new'),
    models: () => dialog.set('models'),
    private: () => void session.update({ private: !state.private }),
    approval: () => void cycleMode(session),
    export: () => dialog.set('export'),
    team: () => dialog.set('team'),
    terminal: () => toggleTerminal(session.id),
    replay,
    restart: () => void session.interrupt('restart'),
    palette: () => dialog.set('palette'),
    help: () => dialog.set('help'),
    find: focusSearch,
    list: toggleList,
    theme: () => nextTheme(),
  }
}

/** Some dialogs stand at their places, and not in `Dialogs`. */
const isDialog = () => dialog.get() !== 'none' || document.querySelector('dialog:modal') !== null

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], .xterm') !== null
  )
}

function focusSearch(): void {
  showList()
  requestAnimationFrame(() => document.querySelector<HTMLInputElement>('#session-search')?.focus())
}
