import { readArguments, type Command } from './commands/command.ts'
import { add, create, remove } from './commands/changing.ts'
import { list, show, validate } from './commands/reading.ts'
import { failed, misused, type Outcome, printed } from './outcome.ts'
import { type SkillPlace, readPlace } from './skill-folders.ts'
import { readFileSync } from 'node:fs'

const commands: Readonly<Record<string, Command>> = {
  list,
  show,
  new: create,
  validate,
  add,
  rm: remove,
}

/** Does what the words after `skill` ask for. */
async function skillProgram(
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

// The launcher names the file with the workspace; the rest is what was typed.
const [placeFile = '', ...words] = process.argv.slice(2)
const place = readPlace(() => readFileSync(placeFile, 'utf8'))
if (place === null) {
  process.stderr.write('skill: this session is gone. Start a new shell in Tandem.\n')
  process.exitCode = 1
} else {
  const { out, err, code } = await skillProgram(words, place)
  process.stdout.write(out)
  process.stderr.write(err)
  process.exitCode = code
}
