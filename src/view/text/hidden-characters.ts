import { escapeOf, hiddenCharacter, hexCode } from '../../base/text.ts'

export type Piece = { kind: 'text'; text: string } | { kind: 'hidden'; character: string }

/** Those of them that steer a terminal, or turn or break lines: in prose the others are letters like any. */
const steering =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

/** A text in pieces, with everything set apart that an eye would miss. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of text.matchAll(hiddenCharacter)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) })
    end = match.index + match[0].length
    pieces.push({ kind: 'hidden', character: match[0] })
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) })
  return pieces
}

const names: Readonly<Record<string, string>> = {
  '\x1b': 'ESC',
  '\r': 'CR',
  '\x07': 'BEL',
  '\x08': 'BS',
  '\x7f': 'DEL',
  '\x00': 'NUL',
}

/** "ESC", "U+202E": what stands for it where a mark can be drawn. */
export function nameOf(character: string): string {
  return names[character] ?? `U+${hexCode(character, 4).toUpperCase()}`
}

/** Text from a model or a log for a person's terminal: nothing in it moves the cursor or turns lines. */
export function printable(text: string): string {
  return shown(text.replaceAll('\r\n', '\n'), (character) => steering.test(character))
}

/** The characters that steer a terminal or turn lines; a joiner inside an emoji does neither. */
const controls = /(?![\n\t])\p{Cc}|[\u2028-\u202e\u2066-\u2069]/gu

/** Text from a model for a pipe: whatever shows it later, nothing in it moves a cursor; words stay as they are. */
export function pipeable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(controls, escapeOf)
}

/** A command, a path or a reason on one line: nothing in it can hide. */
export function printableLine(text: string): string {
  const line = shown(text.replaceAll('\r\n', '\n'), () => true)
  return line.replaceAll('\n', '⏎').replaceAll('\t', ' ')
}

function shown(text: string, isNamed: (character: string) => boolean): string {
  return piecesOf(text)
    .map((piece) => {
      if (piece.kind === 'text') return piece.text
      return isNamed(piece.character) ? escapeOf(piece.character) : piece.character
    })
    .join('')
}
