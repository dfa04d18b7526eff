import type { HolderStart } from '../../../protocol/holder/holder.ts'
import { trimEndOf } from '../../../base/text.ts'
import { hiddenKeys } from './bash.ts'
import script from './fish.fish'

/** Longer lines are slow: the editor colours the whole line at each change. */
const maxLineBytes = 16 * 1024

/** How a fish is started so that it speaks to the holder. */
export function fishIntegration(file: string): HolderStart['shell'] {
  return {
    // fish keeps the terminal's settings from its start. Without this one the terminal throws away
    // unread output, and marks in it, at every Ctrl+C.
    file: '/bin/sh',
    args: ['-c', 'stty noflsh; exec "$0" "$@"', file, '-i', '-C', "source '@START@'"],
    startFile: script,
    // Ctrl+C brings a new line, but no new prompt.
    keys: { ...hiddenKeys, fresh: '\x15\r' },
    titlesCommands: true,
    alwaysBrackets: true,
  }
}

/** How a command enters the shell: as one piece, by a file if it is very long. */
export function fishLine(command: string): { line: string; asFile: boolean } {
  const line = trimEndOf(command, '\n')
  const asFile = Buffer.byteLength(line) > maxLineBytes
  return { line: asFile ? command : line, asFile }
}
