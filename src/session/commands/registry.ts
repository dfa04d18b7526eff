import { cache } from './cache.ts'
import type { Command } from './command.ts'
import { compact } from './compact.ts'
import { model } from './model.ts'

/** Every command of the session’s; help, completion and routing are drawn from this. */
export const commands: readonly Command[] = [model, cache, compact]

export function findCommand(name: string): Command | undefined {
  return commands.find((command) => command.name === name || command.aliases.includes(name))
}
