/** The oldest one that is drawn; the list follows its end, where it stands. */
export function focusAsk(): void {
  document.querySelector<HTMLElement>('.ask-card')?.focus()
}
