export type Piece = { kind: 'text'; text: string } | { kind: 'hidden'; name: string }

/**
 * What can stand in a command without being seen, or makes it look like another: controls, direction
 * marks, blanks that are no space, zero-width and tag characters, the blank Braille cell.
 */
const hidden =
  /(?![\n\t])\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|\p{Default_Ignorable_Code_Point}|\u2800/gu

const names: Readonly<Record<string, string>> = {
  '\x1b': 'ESC',
  '\r': 'CR',
  '\x07': 'BEL',
  '\x08': 'BS',
  '\x7f': 'DEL',
  '\x00': 'NUL',
}

/** A command in pieces, with everything named that an eye would miss. */
export function piecesOf(command: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of command.matchAll(hidden)) {
    if (match.index > end) pieces.push({ kind: 'text', text: command.slice(end, match.index) })
    end = match.index + match[0].length
    pieces.push({ kind: 'hidden', name: nameOf(match[0]) })
  }
  if (end < command.length) pieces.push({ kind: 'text', text: command.slice(end) })
  return pieces
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return names[character] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
