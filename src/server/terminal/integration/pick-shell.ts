import { basename } from 'node:path'
import type { HolderStart } from '../../../protocol/holder/holder.ts'
import { ok, refused, type Result } from '../../../base/result.ts'
import { ShellName } from '../../../protocol/events/shell.ts'
import { bashIntegration, bashLines } from './bash.ts'
import { fishIntegration } from './fish.ts'
import { zshIntegration, zshLines } from './zsh.ts'

interface ShellIntegration {
  /** How the program is started so that it speaks to the holder. */
  start: (file: string, env: Readonly<Record<string, string>>) => HolderStart['shell']
  /** How several lines enter its line editor as one command; null: by a file that is sourced. */
  lines: (lines: string) => string | null
}

export const integrations: Readonly<Record<ShellName, ShellIntegration>> = {
  bash: { start: bashIntegration, lines: bashLines },
  zsh: { start: zshIntegration, lines: zshLines },
  fish: { start: fishIntegration, lines: (lines) => lines },
}

/** Which of the shells we can hear a program is, by its name. */
export function pickShell(path: string): Result<ShellName, string> {
  const name = ShellName.safeParse(basename(path))
  if (name.success) return ok(name.data)
  return refused(
    `Cannot use the shell "${path}": only bash, zsh and fish are supported. Set --shell to one of them.`,
  )
}
