import type { HolderStart } from '../../../protocol/holder/holder.ts'
import hooks from './bash.bash'
import loading from './bash-load.bash'
import state from './bash-state.bash'
import { watchedNames, watchedPrefixes } from './watched-names.ts'

/** Nobody's keys, and short: a line editor makes two system calls for each byte. The same in each shell. */
export const hiddenKeys = {
  load: '\x1b\x1e1',
  accept: '\x1b\x1e2',
  restore: '\x1b\x1e3',
  names: '\x1b\x1e7',
}

/** Not fish's, where every command of a model asks. */
export const stateKey = '\x1b\x1e8'

/** How a bash is started so that it speaks to the holder. */
export function bashIntegration(file: string): HolderStart['shell'] {
  return {
    file,
    args: ['--rcfile', '@START@', '-i'],
    startFile: `${hooks}\n${watching}\n${loading}`,
    keys: { ...hiddenKeys, fresh: '\x03', state: stateKey },
    joinsLines: true,
  }
}

const watching = state
  .replace('@WATCHED@', watchedNames.join(' '))
  .replace('@PREFIXES@', () => watchedPrefixes.map((prefix) => `"\${!${prefix}@}"`).join(' '))

/**
 * Several lines go in as one group, because bash would run the lines after one that was interrupted; a file has the same
 * effect, and is for what a group cannot hold: lines that change how the following ones are parsed.
 */
export function bashLines(lines: string): string | null {
  if (!/^\s*[^\s#]/m.test(lines)) return lines
  return /\b(alias|unalias|shopt|enable)\b/.test(lines) ? null : `{ ${lines}\n}`
}
