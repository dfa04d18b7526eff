import { localCommands } from '../protocol/local-commands.ts'

export type LocalCommand = (typeof localCommands)[number]['name']

/** The local command that this input is, if it is one. */
export function localCommand(input: string): { name: LocalCommand; args: string } | null {
  const [, word, args = ''] = /^\s*\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(input) ?? []
  const command = localCommands.find(({ name }) => name === word)
  return command ? { name: command.name, args: args.trim() } : null
}
