import { type Captured, clip, smallestClip, whole } from '../../base/text.ts'
import { limits } from '../../protocol/limits.ts'
import { commandChars } from '../append.ts'

export interface Streams {
  stdout: Captured
  stderr: Captured
}

const label = '[stderr]\n'
/** `$ `, brackets and line ends of the record, and the longest status line such a run has. */
const frameChars = 320

/**
 * The output of a one-shot command as the model reads it: stdout, then stderr under its own label.
 * When both are long each gets its share, so that the record never cuts one out of the other.
 */
export function streamText(command: string, { stdout, stderr }: Streams): Captured {
  if (isEmpty(stderr)) return stdout
  if (isEmpty(stdout)) return { ...stderr, head: label + stderr.head }
  const room =
    limits.recordChars - Math.min(command.length, commandChars) - frameChars - label.length
  const half = Math.floor(room / 2)
  const forStderr = Math.max(half, room - size(stdout))
  const forStdout = Math.max(half, room - size(stderr))
  const out = clip(stdout, Math.max(smallestClip, forStdout))
  const gap = out.endsWith('\n') ? '' : '\n'
  return whole(out + gap + label + clip(stderr, Math.max(smallestClip, forStderr)))
}

/** Adds a note about the run, on a line of its own behind the output. */
export function withNote(output: Captured, note: string): Captured {
  const inTail = output.tail !== ''
  const text = inTail ? output.tail : output.head
  const noted = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}[${note}]\n`
  return inTail ? { ...output, tail: noted } : { ...output, head: noted }
}

const size = ({ head, tail, omittedChars }: Captured) => head.length + tail.length + omittedChars

const isEmpty = (text: Captured) => size(text) === 0
