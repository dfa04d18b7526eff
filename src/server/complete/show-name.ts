/** Controls, and what hides or turns text: a name with these can look like another one. */
const treacherous = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A name that somebody else may have chosen, for a list on one line. */
export function showName(name: string): string {
  return name.replaceAll(treacherous, escapeOf)
}

export function isTreacherous(name: string): boolean {
  return name.search(treacherous) !== -1
}

/** As bash, zsh and fish write it. */
export function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`
}
