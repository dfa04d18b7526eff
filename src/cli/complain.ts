import { printableLine } from '../view/text/hidden-characters.ts'

/** A longer sentence quotes what somebody typed or sent; its beginning says what is wrong, its end what to do. */
const mostChars = 600
const endChars = 150

/** Tells what went wrong in one line that a terminal can be trusted with: it may quote anybody's words. */
export function complain(sentence: string): void {
  process.stderr.write(`${complaint(sentence)}\n`)
}

export function complaint(sentence: string): string {
  return `tandem: ${shortened(printableLine(sentence.replaceAll(/\s+/g, ' ')))}`
}

function shortened(line: string): string {
  if (line.length <= mostChars) return line
  return `${line.slice(0, mostChars - endChars)} … ${line.slice(-endChars)}`
}
