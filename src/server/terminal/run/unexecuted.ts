import { whole } from '../../../base/text.ts'
import type { Track } from '../../../terminal/shell/track.ts'
import { noTrace } from '../../../session/record/run-end.ts'
import { readByteLog, type Range } from '../byte-log/read-byte-log.ts'
import { captureLog } from './output.ts'
import type { Captured, TerminalRunEnd } from '../terminal.ts'

export const incompleteNote =
  'The input was incomplete (an open quote, bracket or block); the rest was not run.'

/** No byte of it was executed; the reason stands where its output would. */
export function notStarted(why: string): TerminalRunEnd {
  return { ...noTrace, outcome: 'not_started', output: whole(why) }
}

/** Nobody knows what became of it. */
export function lostEnd(why: string): TerminalRunEnd {
  return { ...noTrace, outcome: 'lost', output: whole(why) }
}

/** Bytes that a line editor sends when it hands a line over: nothing before them is output. */
const handedOver = Buffer.from('\x1b[?2004l')

/** The stream from a command's loading to its end, as far as that is known. */
export function enteredRange({ loaded, to, prompted }: Track, head: number): Range {
  return { from: loaded?.offset ?? 0, to: (to ?? prompted?.at)?.offset ?? head }
}

/** Reads what the shell said of a line it did not execute: the text after its echo. */
export async function readUnexecuted(
  folder: string,
  range: Range,
): Promise<{ range: Range; output: Captured }> {
  const pieces: Buffer[] = []
  for await (const bytes of readByteLog(folder, range)) pieces.push(bytes)
  const bytes = Buffer.concat(pieces)
  const said = { from: range.from + afterEcho(bytes), to: range.to }
  return { range: said, output: await captureLog(folder, said) }
}

/** fish keeps the line it refuses; its message starts a line of its own. */
const refusal = Buffer.from('\r\nfish: ')

function afterEcho(bytes: Buffer): number {
  const at = bytes.lastIndexOf(handedOver)
  if (at >= 0) return afterLineEnd(bytes, at + handedOver.length)
  const refused = bytes.lastIndexOf(refusal)
  return refused < 0 ? afterFirstLine(bytes) : refused + 2
}

/** zsh ends the line it has read, and clears what stood right of it, only after it handed it over. */
function afterLineEnd(bytes: Buffer, at: number): number {
  const following = bytes.toString('latin1', at, at + 256)
  const [lineEnd = ''] = /^(?:[\r\b]|\x1b\[[\d;?]*[A-Za-z])*\n?/.exec(following) ?? []
  return at + lineEnd.length
}

/** Without bracketed paste, the echo of a one-line command ends with its line. */
function afterFirstLine(bytes: Buffer): number {
  const at = bytes.indexOf('\n')
  return at < 0 ? bytes.length : at + 1
}
