import { type Colour, levelsOf, type Pen, plainPen } from '../../base/sgr.ts'
import type { Piece } from './terminal-lines.ts'

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
