import { type Pen, plainPen, takeSgr } from '../../base/sgr.ts'

/** Text in one look. */
export interface Piece {
  text: string
  pen: Pen
}

type Cell = { char: string; pen: Pen }

/** A line longer than this is no longer a line for a person. */
const maxCells = 20_000

const sequence =
  /\x1b\[([0-?]*)[ -/]*([@-~])|\x1b[\]PX^_][\s\S]*?(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-~]|[\s\S]/gu

/**
 * A program's terminal output as lines in their colours, each as it finally stood, so that a
 * progress bar is its last state. Movements to other lines are left out, and drawings on the
 * alternate screen are no output.
 */
export function terminalLines(text: string): readonly (readonly Piece[])[] {
  const lines: (readonly Piece[])[] = []
  let cells: Cell[] = []
  let column = 0
  let pen = plainPen
  let isHidden = false

  function print(char: string): void {
    if (isHidden || column >= maxCells) return
    while (cells.length < column) cells.push({ char: ' ', pen: plainPen })
    cells[column] = { char, pen }
    column += 1
  }

  function control(char: string): void {
    if (char === '\n') {
      if (!isHidden) lines.push(joined(cells))
      cells = []
      column = 0
    } else if (char === '\r') column = 0
    else if (char === '\b') column = Math.max(0, column - 1)
    else if (char === '\t') for (let to = (column | 7) + 1; column < to;) print(' ')
  }

  function command(parameters: string, final: string): void {
    const count = Math.min(Number(parameters) || 1, maxCells)
    if (final === 'm') pen = takeSgr(pen, parameters)
    else if (final === 'C') column += count
    else if (final === 'D') column = Math.max(0, column - count)
    else if (final === 'G') column = count - 1
    else if (final === 'K') cells = erased(cells, column, parameters)
    else if (/^\?(?:47|1047|1049)$/.test(parameters)) isHidden = final === 'h'
  }

  for (const [all, parameters, final] of text.matchAll(sequence)) {
    if (final !== undefined) command(parameters ?? '', final)
    else if (/^[\0-\x08\n-\x1a\x1c-\x1f\t\x7f]$/.test(all)) control(all)
    else if (!all.startsWith('\x1b')) print(all)
  }
  if (cells.length > 0) lines.push(joined(cells))
  return lines
}

function erased(cells: readonly Cell[], column: number, parameters: string): Cell[] {
  if (parameters === '2') return []
  if (parameters !== '1') return cells.slice(0, column)
  return cells.map((cell, at) => (at <= column ? { char: ' ', pen: plainPen } : cell))
}

function joined(cells: readonly Cell[]): readonly Piece[] {
  const pieces: Piece[] = []
  for (const { char, pen } of cells) {
    const last = pieces.at(-1)
    if (last?.pen === pen) last.text += char
    else pieces.push({ text: char, pen })
  }
  return pieces
}

/** The same without its colours. */
export function terminalText(text: string): string {
  const lines = terminalLines(text).map((line) => line.map((piece) => piece.text).join(''))
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}
