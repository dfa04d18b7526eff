import { useEffect, useEffectEvent } from 'react'
import type { View } from '../../view/view.ts'
import { isPressed, isTyping, type Action } from '../dialogs/actions.ts'
import { useClear } from '../sessions/use-clear.ts'
import { dialog } from '../state/dialog.ts'
import { useSession } from '../state/session.ts'
import { complain } from '../state/toasts.ts'
import { actionsOf, momentOf, type Doings } from './actions-of.ts'

/** What can be done from anywhere in a session. The keys work while no dialog is open. */
export function useActions(view: View, doings: Omit<Doings, 'clear'>): readonly Action[] {
  const clear = useClear()
  const actions = actionsOf(useSession(), momentOf(view), {
    ...doings,
    clear: () => void clear().catch(complain),
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (dialog.get() !== 'none' || event.isComposing) return
    const pressed = actions.find(
      ({ keys }) =>
        keys !== undefined && isPressed(keys, event) && !(keys.length === 1 && isTyping(event)),
    )
    if (!pressed) return
    event.preventDefault()
    pressed.act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return actions
}
