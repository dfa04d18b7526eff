import { readArguments } from './arguments.ts'
import { add } from './commands/add.ts'
import type { Command } from './commands/command.ts'
import { list } from './commands/list.ts'
import { create } from './commands/new.ts'
import { remove } from './commands/rm.ts'
import { show } from './commands/show.ts'
import { validate } from './commands/validate.ts'
import { failed, misused, type Outcome, printed } from './outcome.ts'
import type { SkillPlace } from './skill-folders.ts'

const commands: Readonly<Record<string, Command>> = {
  list,
  show,
  new: create,
  validate,
  add,
  rm: remove,
}

/** Does what the words after `skill` ask for. */
export async function skillProgram(
  [name = 'help', ...rest]: readonly string[],
  place: SkillPlace,
): Promise<Outcome> {
  const isHelp = ['help', '--help', '-h'].includes(name)
  if (isHelp) return help(rest[0])
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const all = `skill ${Object.keys(commands).join('|')} …`
  if (command === undefined) return misused(`there is no command "${name}"`, all)
  if (rest.some((arg) => arg === '--help' || arg === '-h')) return help(name)
  const args = readArguments(rest, command.flags)
  if (!args.ok) return misused(args.error, command.usage)
  const { least, most } = command.words
  if (args.value.words.length < least) return misused('something is missing', command.usage)
  if (args.value.words.length > most) return misused('that is too much', command.usage)
  try {
    return await command.run(args.value, place)
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

function help(name: string | undefined): Outcome {
  const one = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (one !== undefined) return printed(one.usage, `  ${one.help}`)
  return printed(
    'Skills: folders with a SKILL.md that say how something is done.',
    '',
    ...Object.values(commands).flatMap(({ usage, help }) => [usage, `    ${help}`]),
  )
}
