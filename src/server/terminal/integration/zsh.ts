import type { HolderStart } from '../../../protocol/holder/holder.ts'
import { trimEndOf } from '../../../base/text.ts'
import { hiddenKeys, maxLineBytes, stateKey } from './bash.ts'
import hooks from './zsh.zsh'
import loading from './zsh-load.zsh'
import state from './zsh-state.zsh'
import { watchedNames, watchedPrefixes, watchedSuffixes } from './watched-names.ts'

/** How a zsh is started so that it speaks to the holder: it reads our file as the first of its own. */
export function zshIntegration(
  file: string,
  env: Readonly<Record<string, string>>,
): HolderStart['shell'] {
  const own = (env['ZDOTDIR'] ?? '').replaceAll("'", String.raw`'\''`)
  return {
    file,
    args: ['-i'],
    startFile: (hooks + loading + watching).replace('@ZDOTDIR@', () => `'${own}'`),
    startName: '.zshenv',
    env: { ZDOTDIR: '@FOLDER@' },
    keys: { ...hiddenKeys, fresh: '\x03', state: stateKey },
  }
}

const watched = [...watchedNames, ...watchedPrefixes.map((prefix) => `${prefix}*`)]
const watching = state
  .replace('@WATCHED@', watched.join('|'))
  .replace('@SUFFIXES@', watchedSuffixes.map((suffix) => `*${suffix}`).join('|'))

/**
 * How a command enters the shell. zsh takes all lines of its editor as one piece; only what changes how
 * the lines after it are read, and what is very long, goes in as a file.
 */
export function zshLine(command: string): { line: string; asFile: boolean } {
  const line = trimEndOf(command, '\n')
  const inSteps = line.includes('\n') && /\b(alias|unalias|setopt|unsetopt|emulate)\b/.test(line)
  const asFile = inSteps || Buffer.byteLength(line) > maxLineBytes
  return { line: asFile ? command : line, asFile }
}
