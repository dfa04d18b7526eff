import type { HolderStart } from '../../../protocol/holder/holder.ts'
import { hiddenKeys, stateKey } from './bash.ts'
import hooks from './zsh.zsh'
import loading from './zsh-load.zsh'
import state from './zsh-state.zsh'
import { watchedNames, watchedPrefixes } from './watched-names.ts'

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
const watching = state.replace('@WATCHED@', watched.join('|'))

/** zsh takes all lines of its editor as one piece; only what changes how the lines after it are read is for a file. */
export function zshLines(lines: string): string | null {
  return /\b(alias|unalias|setopt|unsetopt|emulate)\b/.test(lines) ? null : lines
}
