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

/** The way a row goes over into the next one. */
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
  const { buffer, cols } = source
  const printer = createPrinter(cols)
  for (let y = from; y < to; y += 1) {
    const line = buffer.getLine(y)
    if (line === undefined) break
    const next = y + 1 < to ? buffer.getLine(y + 1) : undefined
    const join = joinOf(source, line, next)
    writeRow(printer, source.read, { line, end: join === 'wrap-wide' ? cols - 1 : cols })
    if (join === 'forced') printer.forceWrap(source.read(line, cols - 1).pen)
    else if (join === 'wrap-wide') printer.moveTo(cols - 1)
    else if (join === 'break' && y + 1 < to) printer.newLine()
    printer.startRow()
  }
  return printer.finish()
}

/** Prints cells where they stand, with no more sequences than it takes. */
function createPrinter(cols: number) {
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

  return {
    moveTo,
    erase(blanks: Blanks): void {
      if (!hasBackground(blanks.pen)) return
      moveTo(blanks.start)
      use(blanks.pen)
      out += `\x1b[${blanks.length}X`
    },
    print(cell: Cell, x: number): void {
      moveTo(x)
      use(cell.pen)
      // It would join the character on its left without a sequence before it.
      if (cell.width === 0 && cell.text !== '') out += `\x1b[${x + 1}G`
      const fits = cell.width < 2 || x + 2 <= cols
      out += cell.text === '' || !fits ? ' ' : cell.text
      column = x + (fits ? Math.max(cell.width, 1) : 1)
    },
    /** Wraps where printing alone would not: with a blank, taken back afterwards. */
    forceWrap(lastPen: Pen): void {
      use(plainPen)
      if (column === cols) out += ' \r\x1b[X'
      else {
        out += `\x1b[${cols}G  \r\x1b[X\x1b[A\x1b[${cols}G`
        use(lastPen)
        out += `\x1b[X\x1b[B\r`
      }
    },
    newLine(): void {
      // A new row takes over the pen's background.
      if (hasBackground(pen)) use(plainPen)
      out += '\r\n'
    },
    startRow(): void {
      column = 0
    },
    finish(): string {
      use(plainPen)
      return out
    },
  }
}

/** Empty cells side by side that look alike. */
interface Blanks {
  start: number
  length: number
  pen: Pen
}

function writeRow(
  printer: ReturnType<typeof createPrinter>,
  read: CellReader,
  { line, end }: { line: IBufferLine; end: number },
): void {
  let blanks: Blanks = { start: 0, length: 0, pen: plainPen }
  let wide = false
  for (let x = 0; x < end; x += 1) {
    const cell = read(line, x)
    // A right half whose left one is gone is a cell of its own.
    const half = isRightHalf(cell) && wide
    wide = cell.width === 2
    if (half) continue
    if (isBlank(cell) && samePen(cell.pen, blanks.pen)) {
      if (blanks.length === 0) blanks.start = x
      blanks.length += 1
      continue
    }
    if (blanks.length > 0) printer.erase(blanks)
    if (isBlank(cell)) blanks = { start: x, length: 1, pen: cell.pen }
    else {
      blanks = { start: x, length: 0, pen: plainPen }
      printer.print(cell, x)
    }
  }
  if (blanks.length > 0) printer.erase(blanks)
}

function joinOf({ read, cols }: Source, line: IBufferLine, next: IBufferLine | undefined): Join {
  if (next?.isWrapped !== true) return 'break'
  const first = read(next, 0)
  if (first.text === '' || first.width === 0 || hasBackground(first.pen)) return 'forced'
  const last = read(line, cols - 1)
  if (last.text !== '' || isRightHalf(last)) return 'wrap'
  return first.width === 2 && samePen(first.pen, last.pen) ? 'wrap-wide' : 'forced'
}
