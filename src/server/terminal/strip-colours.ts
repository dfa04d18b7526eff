const esc = '\x1b'
const colours = /\x1b\[[\d;:]*m/g
/** `grep` erases to the line's end after each colour; at the end of the text that does nothing. */
const coloursAndErasing = /\x1b\[(?:[\d;:]*m|0?K)/g

/**
 * Text without its colours, done at once: `rest` is what may be a sequence cut at the end. Null when
 * there are other sequences, for then what looks like a colour may stand inside one of them.
 */
export function stripColours(
  text: string,
  { isAtEnd }: { isAtEnd: boolean },
): { text: string; rest: string } | null {
  const erases = isAtEnd && !text.includes('\r')
  const stripped = text.replaceAll(erases ? coloursAndErasing : colours, '')
  const first = stripped.indexOf(esc)
  if (first < 0) return { text: stripped, rest: '' }
  const rest = text.slice(text.lastIndexOf(esc))
  return rest === stripped.slice(first) ? { text: stripped.slice(0, first), rest } : null
}
