import { useEffect, useEffectEvent, type RefObject } from 'react'

/** The cursor comes to stand behind what is written there, or in the masked field that stands in its place. */
export function focusComposer(): void {
  const field = document.querySelector<HTMLTextAreaElement | HTMLInputElement>('#composer, #secret')
  field?.focus()
  // After the text was drawn.
  requestAnimationFrame(() => field?.setSelectionRange(field.value.length, field.value.length))
}

/** The place that one comes from on the way to a field, for those who leave it backwards. */
export function focusBefore(field: HTMLElement): void {
  const stops = 'a[href], button:not(:disabled), input, textarea, select, [tabindex="0"]'
  const before = [...document.querySelectorAll<HTMLElement>(stops)].filter(
    (each) =>
      each.tabIndex >= 0 &&
      each.checkVisibility() &&
      (field.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_PRECEDING) !== 0,
  )
  before.at(-1)?.focus()
}

/** The oldest one that is drawn; the list follows its end, where it stands. */
export function focusAsk(): void {
  document.querySelector<HTMLElement>('.ask-card')?.focus()
}

/** Closes what is open when one turns to something outside of it. */
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

/**
 * Loads a part ahead, once the page has nothing better to do; not every browser can say when that is. While the server is
 * away it does not come: whoever needs it asks again, and is told then.
 */
export function loadWhenIdle(load: () => Promise<unknown>): void {
  const act = () => void load().catch(() => undefined)
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act)
  else setTimeout(act, 1_000)
}
