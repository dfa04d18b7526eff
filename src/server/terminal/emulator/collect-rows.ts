import type { IMarker, Terminal } from '@xterm/headless'

export interface RowCollector {
  /** Takes the rows that have scrolled off the screen: nothing can change them any more. */
  collect: () => void
  /** How much text was taken. */
  chars: () => number
  /** All text, including what is still on the screen. */
  finish: () => string
}

/** Text of a terminal's normal screen from its first row on, wrapped rows joined. */
export function createRowCollector(terminal: Terminal): RowCollector {
  const parts: string[] = []
  let chars = 0
  /** On the last row that was taken; it moves along when older rows are dropped. */
  let taken: IMarker | undefined

  function take(from: number, to: number): void {
    const buffer = terminal.buffer.normal
    for (let y = from; y < to; y += 1) {
      const line = buffer.getLine(y)
      if (line === undefined) return
      if (parts.length > 0 && !line.isWrapped) parts.push('\n')
      const text = line.translateToString(true)
      parts.push(text)
      chars += text.length + 1
    }
  }

  /** The first row not taken yet; all of them when the program has erased what was taken. */
  const next = () => (taken === undefined || taken.line < 0 ? 0 : taken.line + 1)

  function collect(): void {
    const { active, normal } = terminal.buffer
    // Marks can be set on the screen in use only; nothing scrolls meanwhile.
    if (active.type !== 'normal' || normal.baseY <= next()) return
    take(next(), normal.baseY)
    taken?.dispose()
    taken = terminal.registerMarker(-normal.cursorY - 1)
  }

  function finish(): string {
    const { normal } = terminal.buffer
    take(next(), normal.baseY + lastUsedRow(terminal) + 1)
    return parts.join('')
  }

  return { collect, chars: () => chars, finish }
}

/** The cursor's row counts: after a line end it stands on an empty one. */
function lastUsedRow(terminal: Terminal): number {
  const { normal } = terminal.buffer
  for (let y = terminal.rows - 1; y > normal.cursorY; y -= 1)
    if (normal.getLine(normal.baseY + y)?.translateToString(true) !== '') return y
  return normal.cursorY
}
