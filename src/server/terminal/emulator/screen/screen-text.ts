import type { Terminal } from '@xterm/headless'
import type { Core, Headless } from './internals.ts'
import { isErased, sgrPen, penSequence, plainPen } from './pen.ts'
import { createCellReader } from './write-rows.ts'

export interface TextOptions {
  /** Rows above the screen to add; none unless told. */
  lines?: number
  /** Colours are kept, as SGR sequences; nothing else is. */
  ansi?: boolean
}

/** The screen's text for a reader: wrapped rows joined, no blanks at line ends, no empty end. */
export function screenText(
  { terminal, core }: Headless,
  { lines = 0, ansi = false }: TextOptions,
): string {
  const buffer = terminal.buffer.active
  const row = ansi ? ansiRow(terminal, core) : plainRow(terminal)
  const from = Math.max(buffer.baseY - lines, 0)
  const texts: string[] = []
  for (let y = from; y < buffer.baseY + terminal.rows; y += 1) {
    const text = row(y)
    const wrapped = y > from && buffer.getLine(y)?.isWrapped === true
    if (wrapped) texts.push((texts.pop() ?? '') + text)
    else texts.push(text)
  }
  const trimmed = texts.map((text) => text.trimEnd())
  return trimmed.slice(0, trimmed.findLastIndex((text) => text !== '') + 1).join('\n')
}

function plainRow(terminal: Terminal): (y: number) => string {
  return (y) => terminal.buffer.active.getLine(y)?.translateToString(true) ?? ''
}

function ansiRow(terminal: Terminal, core: Core): (y: number) => string {
  const read = createCellReader(terminal, core)
  return (y) => {
    const line = terminal.buffer.active.getLine(y)
    if (line === undefined) return ''
    let out = ''
    let blanks = 0
    let pen = plainPen
    for (let x = 0; x < line.length; x += 1) {
      const cell = read(line, x)
      const next = sgrPen(cell.pen)
      if (cell.text === '' && cell.width === 0) continue
      if (cell.text === '' && isErased(next) && next.bg === 0) {
        blanks += 1
        continue
      }
      if (blanks > 0) out += penSequence(pen, plainPen) + ' '.repeat(blanks)
      pen = blanks > 0 ? plainPen : pen
      blanks = 0
      out += penSequence(pen, next) + (cell.text === '' ? ' ' : cell.text)
      pen = next
    }
    return out + penSequence(pen, plainPen)
  }
}
