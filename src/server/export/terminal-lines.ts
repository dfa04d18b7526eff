import { type Pen, plainPen, takeSgr, type Colour, levelsOf } from '../../base/sgr.ts'

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

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const joinerOutsideEmoji =
  /(?<!\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d|\u200d(?!\p{Extended_Pictographic})/u
/** Line ends and tabs lay text out; whatever else is not seen could lie. */
const unseen = /[^\P{Cc}\n\t]|[^\P{Cf}\u200d]|[\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u
const special = new RegExp(`${joinerOutsideEmoji.source}|${unseen.source}|[&<>"']`, 'gu')

/** Anybody's text as HTML: it is only ever text, and nothing in it hides. */
export function escaped(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(special, (character) => entities[character] ?? named(character))
}

/** The same on one line. */
export function escapedLine(text: string): string {
  return escaped(oneLine(text))
}

/** The same where no element can stand. */
export function escapedTitle(text: string): string {
  return oneLine(text).replaceAll(special, (character) => entities[character] ?? nameOf(character))
}

const oneLine = (text: string) => text.replaceAll(/[\n\t]+/g, ' ')

function named(character: string): string {
  return `<span class="unseen">${nameOf(character)}</span>`
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Lines of a terminal in their colours. */
export function colouredLines(lines: readonly (readonly Piece[])[]): string {
  return lines.map((line) => `${line.map(coloured).join('')}\n`).join('')
}

function coloured({ text, pen }: Piece): string {
  const html = escaped(text)
  if (pen === plainPen) return html
  const { classes, styles } = look(pen)
  const attributes = [
    ...(classes.length > 0 ? [` class="${classes.join(' ')}"`] : []),
    ...(styles.length > 0 ? [` style="${styles.join(';')}"`] : []),
  ]
  return attributes.length === 0 ? html : `<span${attributes.join('')}>${html}</span>`
}

interface Look {
  classes: string[]
  styles: string[]
}

function look(pen: Pen): Look {
  const classes = (['bold', 'dim', 'italic', 'underline', 'strike'] as const).filter(
    (name) => pen[name],
  )
  const [ink, ground] = pen.inverse ? [pen.ground, pen.ink] : [pen.ink, pen.ground]
  const found: Look = { classes: [...classes], styles: [] }
  if (pen.inverse && ink === null && ground === null) found.classes.push('inverse')
  if (ink !== null) paint(found, { colour: ink, prefix: 'ink', property: 'color' })
  if (ground !== null) paint(found, { colour: ground, prefix: 'ground', property: 'background' })
  return found
}

/** The first sixteen belong to the page's theme; the others are what they are. */
function paint(
  { classes, styles }: Look,
  { colour, prefix, property }: { colour: Colour; prefix: string; property: string },
): void {
  if (typeof colour === 'number' && colour < 16) classes.push(`${prefix}-${colour}`)
  else
    styles.push(
      `${property}:${typeof colour === 'string' ? colour : `rgb(${levelsOf(colour).join()})`}`,
    )
}
