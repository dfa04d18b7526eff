import type { IBuffer, IBufferLine, Terminal } from '@xterm/headless'
import { readableCell, type Core } from './internals.ts'
import {
  cellPen,
  hasBackground,
  isErased,
  penSequence,
  plainPen,
  samePen,
  type Pen,
} from './pen.ts'

/** A cell may carry any number of combining characters; a snapshot must not grow without end. */
const maxCellUnits = 64

/** One cell as it has to be printed; width 0 with text is a combining character on its own. */
export interface Cell {
  text: string
  width: number
  pen: Pen
}

export function createCellReader(terminal: Terminal, core: Core) {
  const cell = readableCell(terminal)
  return (line: IBufferLine, x: number): Cell => {
    line.getCell(x, cell)
    const text = cell.getChars()
    return {
      text: text.length > maxCellUnits ? text.slice(0, maxCellUnits) : text,
      width: cell.getWidth(),
      pen: cellPen(cell, core),
    }
  }
}

export type CellReader = ReturnType<typeof createCellReader>

/** How a row goes over into the next one. */
type Join = 'break' | 'wrap' | 'wrap-wide' | 'forced'

interface Source {
  buffer: IBuffer
  cols: number
  read: CellReader
}

const isBlank = (cell: Cell) => cell.text === '' && isErased(cell.pen)
const isRightHalf = (cell: Cell) => cell.text === '' && cell.width === 0

/**
 * Text and sequences that print these rows of a buffer on an empty screen, the cursor at its top left:
 * every cell with its look, empty cells empty, and wrapped rows wrapped. The pen is plain afterwards.
 */
export function writeRows(source: Source, { from, to }: { from: number; to: number }): string {
  const { buffer, cols, read } = source
  let out = ''
  let pen = plainPen
  let column = 0

  function use(next: Pen): void {
    out += penSequence(pen, next)
    pen = next
  }

  function moveTo(x: number): void {
    if (column !== x) out += `\x1b[${x + 1}G`
    column = x
  }

  function erase(run: { start: number; length: number; pen: Pen }): void {
    if (!hasBackground(run.pen)) return
    moveTo(run.start)
    use(run.pen)
    out += `\x1b[${run.length}X`
  }

  function print(cell: Cell, x: number): void {
    moveTo(x)
    use(cell.pen)
    // Without a sequence before it, it would join the character on its left.
    if (cell.width === 0 && cell.text !== '') out += `\x1b[${x + 1}G`
    const fits = cell.width < 2 || x + 2 <= cols
    out += cell.text === '' || !fits ? ' ' : cell.text
    column = x + (fits ? Math.max(cell.width, 1) : 1)
  }

  function row(line: IBufferLine, end: number): void {
    let run = { start: 0, length: 0, pen: plainPen }
    let wide = false
    for (let x = 0; x < end; x += 1) {
      const cell = read(line, x)
      // A right half whose left one is gone is a cell of its own.
      const half = isRightHalf(cell) && wide
      wide = cell.width === 2
      if (half) continue
      if (isBlank(cell) && samePen(cell.pen, run.pen)) {
        if (run.length === 0) run.start = x
        run.length += 1
        continue
      }
      if (run.length > 0) erase(run)
      if (isBlank(cell)) run = { start: x, length: 1, pen: cell.pen }
      else {
        run = { start: x, length: 0, pen: plainPen }
        print(cell, x)
      }
    }
    if (run.length > 0) erase(run)
  }

  /** Wraps where printing alone would not: with a blank, taken back afterwards. */
  function force(line: IBufferLine): void {
    use(plainPen)
    if (column === cols) out += ' \r\x1b[X'
    else {
      out += `\x1b[${cols}G  \r\x1b[X\x1b[A\x1b[${cols}G`
      use(read(line, cols - 1).pen)
      out += `\x1b[X\x1b[B\r`
    }
  }

  function join(line: IBufferLine, next: IBufferLine | undefined): Join {
    if (next?.isWrapped !== true) return 'break'
    const first = read(next, 0)
    if (first.text === '' || first.width === 0 || hasBackground(first.pen)) return 'forced'
    const last = read(line, cols - 1)
    if (last.text !== '' || isRightHalf(last)) return 'wrap'
    return first.width === 2 && samePen(first.pen, last.pen) ? 'wrap-wide' : 'forced'
  }

  for (let y = from; y < to; y += 1) {
    const line = buffer.getLine(y)
    if (line === undefined) break
    const next = y + 1 < to ? buffer.getLine(y + 1) : undefined
    const kind = join(line, next)
    row(line, kind === 'wrap-wide' ? cols - 1 : cols)
    if (kind === 'forced') force(line)
    else if (kind === 'wrap-wide') moveTo(cols - 1)
    else if (kind === 'break' && y + 1 < to) {
      // A new row takes over the pen's background.
      if (hasBackground(pen)) use(plainPen)
      out += '\r\n'
    }
    column = 0
  }
  use(plainPen)
  return out
}
