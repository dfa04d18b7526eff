import type { CommandInfo } from '../../protocol/completion.ts'

/** In the order of the palette; first what the moment asks for. */
export const actionGroups = ['Now', 'Session', 'Terminal', 'Page'] as const

/** Something the page can do, with the key that does it; help and palette are drawn from these. */
export interface Action {
  id: string
  label: string
  group: (typeof actionGroups)[number]
  keys?: string
  /** Nothing would come of it now: only help tells of its key. */
  isIdle?: boolean
  act: () => void
}

/** "Ctrl+K", "Alt+N", "Ctrl+`", "?": as it is shown, and as it is recognised. */
export function isPressed(keys: string, event: KeyboardEvent): boolean {
  const parts = keys.split('+')
  const key = parts.pop() ?? ''
  const control = event.ctrlKey || event.metaKey
  if (control !== parts.includes('Ctrl') || event.altKey !== parts.includes('Alt')) return false
  // With Shift it is another key, of the browser's perhaps; a sign may need it to be written.
  if (parts.length > 0 && event.shiftKey) return false
  // With Alt some layouts write another letter.
  return event.key.toLowerCase() === key.toLowerCase() || event.code === `Key${key.toUpperCase()}`
}

/** A single letter is typed, not pressed, where text is written. */
export function isTyping(event: KeyboardEvent): boolean {
  const { target } = event
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], .xterm') !== null
  )
}

/** What the palette puts into the composer for a command that needs more words. */
export function lineOf(command: CommandInfo): { text: string; isWhole: boolean } {
  const isWhole = command.arguments.every((argument) => argument.isOptional)
  return { text: `/${command.name}${isWhole ? '' : ' '}`, isWhole }
}
