import { basename } from 'node:path'
import type { HolderStart } from '../../../protocol/holder/holder.ts'
import { ok, refused, type Result } from '../../../base/result.ts'
import { ShellName } from '../../../protocol/events/shell.ts'
import { bashIntegration, bashLine } from './bash.ts'
import { fishIntegration, fishLine } from './fish.ts'
import { zshIntegration, zshLine } from './zsh.ts'

interface ShellIntegration {
  /** How the program is started so that it speaks to the holder. */
  start: (file: string, env: Readonly<Record<string, string>>) => HolderStart['shell']
  /** How a command enters its line editor: as it is, or by a file that is sourced. */
  line: (command: string) => { line: string; asFile: boolean }
}

export const integrations: Readonly<Record<ShellName, ShellIntegration>> = {
  bash: { start: bashIntegration, line: bashLine },
  zsh: { start: zshIntegration, line: zshLine },
  fish: { start: fishIntegration, line: fishLine },
}

/** Which of the shells we can hear a program is, by its name. */
export function pickShell(path: string): Result<ShellName, string> {
  const name = ShellName.safeParse(basename(path))
  if (name.success) return ok(name.data)
  return refused(
    `Cannot use the shell "${path}": only bash, zsh and fish are supported. Set --shell to one of them.`,
  )
}
