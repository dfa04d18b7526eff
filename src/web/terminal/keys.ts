/** The keys of the terminal that are not the program's, for help and for the hint beside it. */
export const terminalKeys = [
  { keys: 'F6', does: 'leave the terminal' },
  { keys: 'Ctrl+Shift+C', does: 'copy the selection' },
  { keys: 'Ctrl+Shift+V', does: 'paste' },
  { keys: 'Ctrl+Shift+F', does: 'find in the terminal' },
] as const

export type OwnKey = 'leave' | 'copy' | 'paste' | 'find'

/** Which of them was pressed; null: it is the program's. */
export function ownKey(event: KeyboardEvent): OwnKey | null {
  if (event.key === 'F6') return 'leave'
  if (!event.shiftKey || !(event.ctrlKey || event.metaKey)) return null
  switch (event.code) {
    case 'KeyC':
      return 'copy'
    case 'KeyV':
      return 'paste'
    case 'KeyF':
      return 'find'
    default:
      return null
  }
}

/** With Ctrl held: what a phone's keyboard cannot say. */
export function withCtrl(data: string): string {
  const code = data.toUpperCase().charCodeAt(0)
  return data.length === 1 && code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : data
}

/** A key of the bar: what it sends, or which arrow it is. */
export type BarKey = { sends: string } | { arrow: 'A' | 'B' | 'C' | 'D' }

interface Held {
  isCtrl: boolean
  /** The program has asked for its own kind of arrows, as editors and pagers do. */
  isApplication: boolean
}

export function sequenceOf(key: BarKey, { isCtrl, isApplication }: Held): string {
  if ('sends' in key) return isCtrl ? withCtrl(key.sends) : key.sends
  if (isCtrl) return `\x1b[1;5${key.arrow}`
  return `\x1b${isApplication ? 'O' : '['}${key.arrow}`
}
