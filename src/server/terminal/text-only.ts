/** Modes that say how keys are sent or the cursor looks; the text is the same with or without them. */
const quietModes = /^\?(?:1|12|25|100[0-6]|1015|1016|2004|2026)$/

/** Whether a control sequence leaves the text as it is: colours, questions, the cursor's looks. */
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
