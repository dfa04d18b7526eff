import type { ShellName } from '../../protocol/shell.ts'
import { trimEndOf } from '../../protocol/trim-end.ts'
import { evalLine } from './integration/adoptable.ts'
import { integrations } from './integration/pick-shell.ts'

export interface EnteredLine {
  line: string
  /** Too long for a line editor: it is sourced from a file. */
  asFile: boolean
}

/** A command as it is put into a shell's line; one that is reached by keys alone finds no file of ours. */
export function enteredLine(
  command: string,
  { shell, isByKeys }: { shell: ShellName; isByKeys: boolean },
): EnteredLine {
  const { line, asFile } = integrations[shell].line(command)
  if (!isByKeys || !asFile) return { line, asFile }
  return { line: evalLine(shell, trimEndOf(command, '\n')), asFile: false }
}
