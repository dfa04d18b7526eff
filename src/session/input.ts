import { isComment } from '../protocol/is-comment.ts'
import { localCommands as local } from '../protocol/local-commands.ts'
import { commandName, sameName } from './command-name.ts'

/** How a raw input parses. The session decides this, never a UI. */
export type Directive =
  | { kind: 'nothing' }
  | { kind: 'run'; command: string; private: boolean; thenTurn: boolean }
  | { kind: 'prompt'; text: string }
  | { kind: 'command'; name: string; args: string }

/** Commands that belong to one client's screen; the server refuses them. */
export const localCommands: readonly string[] = local.map(({ name }) => name)

export function parseInput(text: string, as: 'auto' | 'run' | 'text'): Directive {
  const trimmed = text.trimStart()
  if (as === 'text') return prompt(text)
  if (trimmed.startsWith('!')) return bang(trimmed.slice(1))
  if (as === 'run') return run(text, {})
  if (trimmed.startsWith('\\!') || trimmed.startsWith('\\/')) return prompt(trimmed.slice(1))
  return slash(trimmed) ?? prompt(text)
}

function bang(rest: string): Directive {
  if (rest.startsWith('!')) return run(rest.slice(1), { private: true })
  if (rest.startsWith('?')) return run(rest.slice(1), { thenTurn: true })
  return run(rest, {})
}

function run(text: string, flags: { private?: boolean; thenTurn?: boolean }): Directive {
  const command = text.trim()
  if (isComment(command)) return { kind: 'nothing' }
  return { kind: 'run', command, private: false, thenTurn: false, ...flags }
}

function prompt(text: string): Directive {
  return text.trim() === '' ? { kind: 'nothing' } : { kind: 'prompt', text }
}

const named = new RegExp(String.raw`^/(${commandName})(?:\s+([\s\S]*))?$`, 'u')

/** `/name args`. */
function slash(text: string): Directive | null {
  const [, name, args = ''] = named.exec(text) ?? []
  return name === undefined ? null : { kind: 'command', name: sameName(name), args }
}
