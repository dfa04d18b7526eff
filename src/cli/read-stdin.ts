import type { Readable } from 'node:stream'
import { limits } from '../protocol/limits.ts'
import { CliError, exitCode } from './exit-code.ts'

/** Long enough for the slowest `cmd |` to say something; a pipe nobody writes to must not hang us. */
const graceMs = 3_000

/** All that is piped in. An open pipe that stays silent counts as empty. */
export async function readStdin(
  stdin: Readable,
  { onSilence }: { onSilence: () => void },
): Promise<string> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), graceMs)
  const pieces: Buffer[] = []
  let size = 0
  stdin.once('data', () => clearTimeout(timer))
  try {
    for await (const piece of untilAborted(stdin, silence.signal)) {
      const bytes = Buffer.from(piece)
      size += bytes.length
      // A character has at most four bytes, and three of them are not worth counting exactly.
      if (size > limits.inputChars * 4) throw tooLong()
      pieces.push(bytes)
    }
  } finally {
    clearTimeout(timer)
  }
  if (silence.signal.aborted) onSilence()
  const text = Buffer.concat(pieces).toString('utf8')
  if (text.length > limits.inputChars) throw tooLong()
  return text
}

async function* untilAborted(
  stdin: Readable,
  signal: AbortSignal,
): AsyncGenerator<Buffer | string> {
  const stop = () => stdin.destroy()
  signal.addEventListener('abort', stop)
  try {
    for await (const piece of stdin) yield piece
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function tooLong(): CliError {
  return new CliError(
    `what was piped in is longer than ${limits.inputChars} characters. Give less of it.`,
    exitCode.usage,
  )
}
