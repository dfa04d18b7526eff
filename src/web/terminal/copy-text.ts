/** Only ever what a person selected and asked for; output itself cannot reach the clipboard. */
export function copyText(text: string): void {
  if (text !== '') navigator.clipboard?.writeText(text).catch(() => undefined)
}
