import type { IMarker, Terminal } from '@xterm/headless'
import { openHeadless } from '../screen/internals.ts'

export interface RenderOptions {
  /** The width the program saw: where its lines wrapped. */
  cols: number
  rows?: number
  /** Gives up after this long; other screens wait meanwhile. */
  maxMs?: number
}

export interface Rendered {
  text: string
  /** A program took the whole screen; what it showed there is no output and is not in the text. */
  alternateScreen: boolean
}

const defaultMs = 5_000
/** A few bytes can ask for a character a million times. */
const maxChars = 2 * 1024 * 1024
/** A piece can scroll no more rows than the scrollback keeps until they are collected. */
const pieceBytes = 2 * 1024
const scrollback = 5_000

/**
 * Raw output as it finally stood: overwritten progress, erased lines, cursor movements. Null when that
 * takes too long or grows too large. The caller bounds the bytes.
 */
export function renderOutput(bytes: Uint8Array, options: RenderOptions): Rendered | null {
  const { cols, rows = 24, maxMs = defaultMs } = options
  const { terminal, core } = openHeadless({ cols, rows, scrollback })
  let alternateScreen = false
  terminal.buffer.onBufferChange((active) => {
    alternateScreen ||= active.type === 'alternate'
  })
  const collector = createRowCollector(terminal)
  const end = performance.now() + maxMs
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      core._inputHandler.parse(bytes.subarray(at, at + pieceBytes))
      collector.collect()
      if (collector.chars() > maxChars || performance.now() > end) return null
    }
    return { text: collector.finish(), alternateScreen }
  } finally {
    terminal.dispose()
  }
}

/** Text of a terminal's normal screen from its first row on, wrapped rows joined. */
function createRowCollector(terminal: Terminal) {
  const parts: string[] = []
  let chars = 0
  /** A mark on the last row that was taken; it moves along when older rows are dropped. */
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

  /** Takes the rows that have scrolled off the screen: nothing can change them any more. */
  function collect(): void {
    const { active, normal } = terminal.buffer
    // Marks can be set on the screen in use only; nothing scrolls meanwhile.
    if (active.type !== 'normal' || normal.baseY <= next()) return
    take(next(), normal.baseY)
    taken?.dispose()
    taken = terminal.registerMarker(-normal.cursorY - 1)
  }

  /** All text, including what is still on the screen. */
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
