import { type Colour, hexOf, levelsOf, type Pen, plainPen, takeSgr } from '../../protocol/sgr.ts'

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

/** SGR, any other control sequence, a string sequence (titles, links), or a two-byte escape. */
const sequences =
  /\x1b\[([\d;:]*)m|\x1b\[[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[\x20-\x2f]*[\x30-\x7e]?/g

/** Output with colours, without everything else a terminal would do with it. */
export function parseAnsi(output: string): readonly Stretch[] {
  const stretches: Stretch[] = []
  let pen = plainPen
  let look: Look = {}
  let end = 0
  const add = (text: string) => {
    const plain = settled(text)
    if (plain !== '') stretches.push({ text: plain, look })
  }
  for (const match of output.matchAll(sequences)) {
    add(output.slice(end, match.index))
    end = match.index + match[0].length
    if (match[1] === undefined) continue
    pen = takeSgr(pen, match[1])
    look = lookOf(pen)
  }
  add(output.slice(end))
  return stretches
}

/** Without colours: what copying gives. */
export function plainText(output: string): string {
  return parseAnsi(output)
    .map(({ text }) => text)
    .join('')
}

/** A carriage return starts the line again, as a progress bar does; other controls are nothing. */
function settled(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\n\r]*\r(?=[^\n\r])/g, '')
    .replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
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
