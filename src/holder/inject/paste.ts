/** Characters that a shell would read otherwise than they are written: control keys, and what expands at a prompt. */
const odd = /[\0-\x1f\x7f!^#]/
/** A terminal keeps no more of a line where no line editor reads it. */
const maxBytes = 4000
const [pasteStart, pasteEnd] = ['\x1b[200~', '\x1b[201~']
const killLine = '\x15'
const switches = ['\x1b[?2004h', '\x1b[?2004l'] as const

/** Whether a command can be typed as it is; if not, it is sourced from a file. */
export function isTypable(command: Buffer): boolean {
  return command.length <= maxBytes && !odd.test(command.toString('utf8'))
}

/**
 * The keys for a line at a prompt, and Enter. Where no line editor reads, our own keys are in the line
 * and go first. In brackets no key means anything but itself. Many shells keep a line that begins with
 * a blank out of their history.
 */
export function pasteKeys(line: Buffer, isBracketed: boolean): Buffer {
  const [start, end] = isBracketed ? [pasteStart, pasteEnd] : ['', '']
  return Buffer.concat([Buffer.from(`${killLine}${start} `), line, Buffer.from(`${end}\r`)])
}

/** Whether pastes are to be bracketed after this output; `was` where it does not say. */
export function isBracketed(output: Buffer, was: boolean): boolean {
  const [on, off] = switches.map((sequence) => output.lastIndexOf(sequence))
  if (on === off) return was
  return (on ?? -1) > (off ?? -1)
}
