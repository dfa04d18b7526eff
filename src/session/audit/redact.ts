import { hasSecret, secretsIn } from '../policy/secrets.ts'

const mark = '[redacted]'

/**
 * A text without what looks like a password, a key or a token, each to the end of its word. Too much may go, for what
 * is left is looked through once more and goes as a whole if anything is found there.
 */
export function redact(text: string): string {
  if (!hasSecret(text)) return text
  let left = text
  for (const { from, isRest } of secretsIn(text).toSorted((a, b) => b.from - a.from)) {
    // Two rules may find the same one.
    if (!isRest && left.startsWith(mark, from)) continue
    left = `${left.slice(0, from)}${mark}${isRest ? '' : left.slice(endOfWord(left, from))}`
  }
  return hasSecret(left.replaceAll(mark, '$_')) ? mark : left
}

/** The end of the shell word that goes on at a place; a quote that is open there, or opens later, belongs to it. */
function endOfWord(text: string, from: number): number {
  const before = text[from - 1] ?? ''
  let quote = isQuote(before) ? before : ''
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '\\' && quote !== "'") at += 1
    else if (char === quote) quote = ''
    else if (quote === '' && isQuote(char)) quote = char
    else if (quote === '' && /\s/.test(char)) return at
  }
  return text.length
}

const isQuote = (char: string) => char === '"' || char === "'"
