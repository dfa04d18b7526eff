// Line breaks and tabs lay text out; every other control, and what hides or turns text, can lie.
const treacherous =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** Text from a model or a log for a person's terminal: nothing in it moves the cursor or hides. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(treacherous, visible)
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text).replaceAll('\n', '⏎').replaceAll('\t', ' ')
}
