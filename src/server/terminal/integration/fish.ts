import type { HolderStart } from '../../../protocol/holder/holder.ts'
import { hiddenKeys } from './bash.ts'
import script from './fish.fish'

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
