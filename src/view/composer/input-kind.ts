import type { SubmitAs } from '../../protocol/http/intent.ts'
import { localCommands } from '../../protocol/local-commands.ts'

/** Begins as a command of a shell or of the session does; everything else is prose. */
export const isDirective = (text: string): boolean => /^\s*[!/]/.test(text)

/** The session would run it as a command, in the shared terminal or beside it. */
export function isRun(text: string, as: SubmitAs): boolean {
  return as === 'run' || (as === 'auto' && /^\s*(!|\/shell\b)/.test(text))
}

/** Words that can be completed: a command, an argument of one, or a path that is mentioned. */
export function isCompletable(before: string, as: SubmitAs): boolean {
  return as === 'run' || isDirective(before) || /(^|\s)@\S*$/.test(before)
}

export type LocalCommand = (typeof localCommands)[number]['name']

/** The local command that this input is, if it is one. */
export function localCommand(input: string): { name: LocalCommand; args: string } | null {
  const [, word, args = ''] = /^\s*\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(input) ?? []
  const command = localCommands.find(({ name }) => name === word)
  return command ? { name: command.name, args: args.trim() } : null
}
