import { type Colour, hexOf, levelsOf, type Pen, plainPen, takeSgr } from '../../base/sgr.ts'

/** How a stretch of output looks. Colours are indexes of the palette, or `#rrggbb`. */
export interface Look {
  fg?: string
  bg?: string
  bold?: true
  dim?: true
  italic?: true
  underline?: true
  strike?: true
  inverse?: true
}

export interface Stretch {
  text: string
  look: Look
}

/** SGR, any other control sequence, a string sequence (titles, links), a two-byte escape, or a control. */
const special =
  /\x1b\[([\d;:]*)m|\x1b\[[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[\x20-\x2f]*[\x30-\x7e]?|[\x00-\x08\x0a-\x1f\x7f-\x9f]/g

/** Output with colours and with its lines as they were left, without everything else a terminal does. */
export function parseAnsi(output: string): readonly Stretch[] {
  const written = createLines()
  let pen = plainPen
  let look: Look = {}
  let end = 0
  for (const match of output.matchAll(special)) {
    written.add(output.slice(end, match.index), look)
    end = match.index + match[0].length
    if (match[1] === undefined) written.obey(match[0])
    else {
      pen = takeSgr(pen, match[1])
      look = lookOf(pen)
    }
  }
  written.add(output.slice(end), look)
  return written.all()
}

/** Without colours: what copying gives. */
export const plainText = (output: string): string => textOf(parseAnsi(output))

export const textOf = (stretches: readonly Stretch[]): string =>
  stretches.map(({ text }) => text).join('')

/** The first characters, in their colours. */
export function firstOf(stretches: readonly Stretch[], length: number): readonly Stretch[] {
  let left = length
  return stretches.flatMap(({ text, look }) => {
    const part = text.slice(0, Math.max(0, left))
    left -= text.length
    return part === '' ? [] : [{ text: part, look }]
  })
}

/** Lines that are written and, as progress bars do it, written again from their start. */
function createLines() {
  const finished: Stretch[] = []
  let line: Stretch[] = []
  let isBack = false

  function add(text: string, look: Look): void {
    if (text === '') return
    if (isBack) line = []
    isBack = false
    push(line, { text, look })
  }

  function obey(control: string): void {
    if (control === '\n') {
      for (const stretch of line) push(finished, stretch)
      push(finished, { text: '\n', look: line.at(-1)?.look ?? finished.at(-1)?.look ?? {} })
      line = []
      isBack = false
    } else if (control === '\r') isBack = true
    else if (control === '\b') shorten(line)
    else if (control === '\x1b[2K' || (isBack && control.endsWith('K'))) line = []
  }

  return { add, obey, all: (): readonly Stretch[] => [...finished, ...line] }
}

function push(stretches: Stretch[], next: Stretch): void {
  const last = stretches.at(-1)
  if (last?.look === next.look)
    stretches[stretches.length - 1] = { text: last.text + next.text, look: last.look }
  else stretches.push(next)
}

function shorten(line: Stretch[]): void {
  const last = line.pop()
  if (last && last.text.length > 1) line.push({ text: last.text.slice(0, -1), look: last.look })
}

function lookOf({ ink, ground, ...rest }: Pen): Look {
  return {
    ...(rest.bold && { bold: true }),
    ...(rest.dim && { dim: true }),
    ...(rest.italic && { italic: true }),
    ...(rest.underline && { underline: true }),
    ...(rest.strike && { strike: true }),
    ...(rest.inverse && { inverse: true }),
    ...(ink !== null && { fg: colourOf(ink) }),
    ...(ground !== null && { bg: colourOf(ground) }),
  }
}

/** The first sixteen by their number: they are the theme’s. */
function colourOf(colour: Colour): string {
  if (typeof colour === 'string') return colour
  return colour < 16 ? String(colour) : hexOf(levelsOf(colour))
}
