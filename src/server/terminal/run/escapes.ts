const esc = '\x1b'
const colours = /\x1b\[[\d;:]*m/g
/** `grep` erases to the line's end after each colour; at the end of the text that does nothing. */
const coloursAndErasing = /\x1b\[(?:[\d;:]*m|0?K)/g

/**
 * Text without its colours, done at once: `rest` may be a sequence cut at the end. Null when
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

/** Modes that say how keys are sent or the cursor looks; the text is the same with or without them. */
const quietModes = /^\?(?:1|12|25|100[0-6]|1015|1016|2004|2026)$/

/** Says whether a control sequence leaves the text as it is: colours, questions, the cursor's looks. */
export function isTextOnly(parameters: string, final: string): boolean {
  if ('mncqt'.includes(final)) return true
  return (final === 'h' || final === 'l') && quietModes.test(parameters)
}

/** The same for a sequence without parameters: the usual character set, keypad modes, a string's end. */
export function isTextOnlyEscape(intermediate: string, final: string): boolean {
  return intermediate === ''
    ? '\\=>'.includes(final)
    : '()*+'.includes(intermediate) && final === 'B'
}

/** Controls that a terminal obeys though nothing is drawn: backspace, VT, FF, another set, C1. */
export const movingControls = /[\b\v\f\x0e\x80-\x9f]/
