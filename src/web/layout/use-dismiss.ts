import { useEffect, useEffectEvent, type RefObject } from 'react'

/** What is open closes when one turns to something outside of it. */
export function useDismiss(
  box: RefObject<HTMLElement | null>,
  isOpen: boolean,
  onDismiss: () => void,
): void {
  const dismiss = useEffectEvent(onDismiss)
  useEffect(() => {
    if (!isOpen) return undefined
    const onTurn = ({ target }: Event) => {
      if (!(target instanceof Node) || !box.current?.contains(target)) dismiss()
    }
    const turns = ['pointerdown', 'focusin', 'wheel'] as const
    // Before others see it: the terminal keeps such events to itself.
    for (const turn of turns) addEventListener(turn, onTurn, { capture: true, passive: true })
    return () => {
      for (const turn of turns) removeEventListener(turn, onTurn, { capture: true })
    }
  }, [box, isOpen])
}
