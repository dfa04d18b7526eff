interface Room {
  /** Up to here a text is shown whole; a longer one opens with its first lines. */
  wholeLines: number
  openingLines: number
  /** So many characters are a screen; a single line can be a megabyte. */
  mostChars: number
}

const aScreen: Room = { wholeLines: 20, openingLines: 10, mostChars: 4_000 }

/** A command beside its question: both fit into a window. */
export const onACard: Room = { wholeLines: 14, openingLines: 8, mostChars: 1_000 }

export interface Collapsed {
  shown: string
  /** Those that are not shown to their end. */
  hiddenLines: number
}

export function collapse(text: string, room: Room = aScreen): Collapsed {
  const { wholeLines, openingLines, mostChars } = room
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  const opening = lines.length <= wholeLines ? lines : lines.slice(0, openingLines)
  const whole = opening.join('\n')
  const shown = whole.slice(0, mostChars)
  const ended = shown === whole ? opening.length : shown.split('\n').length - 1
  return { shown, hiddenLines: lines.length - ended }
}
