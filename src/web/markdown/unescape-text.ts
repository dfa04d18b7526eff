const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  rarr: '→',
  larr: '←',
  copy: '©',
}

/** The few references that models write; the rest stays as it is. React escapes what comes out. */
export function unescapeText(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(#\d{1,7}|#x[\da-f]{1,6}|\w{2,8});/gi,
    (whole, name: string) => named[name.toLowerCase()] ?? numbered(name) ?? whole,
  )
}

function numbered(name: string): string | null {
  if (!name.startsWith('#')) return null
  const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null
}
