import type { HolderStart } from '../../../protocol/holder.ts'
import { trimEndOf } from '../../../protocol/trim-end.ts'
import hooks from './zsh.zsh'
import loading from './zsh-load.zsh'

/** Longer lines are slow: a line editor's redrawing costs the square of the length. */
const maxLineBytes = 16 * 1024

/** How a zsh is started so that it speaks to the holder: it reads our file as the first of its own. */
export function zshIntegration(
  file: string,
  env: Readonly<Record<string, string>>,
): HolderStart['shell'] {
  const own = (env['ZDOTDIR'] ?? '').replaceAll("'", String.raw`'\''`)
  return {
    file,
    args: ['-i'],
    startFile: (hooks + loading).replace('@ZDOTDIR@', () => `'${own}'`),
    startName: '.zshenv',
    env: { ZDOTDIR: '@FOLDER@' },
    keys: {
      load: '\x1b\x1e1',
      accept: '\x1b\x1e2',
      restore: '\x1b\x1e3',
      names: '\x1b\x1e7',
      fresh: '\x03',
    },
  }
}

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
