import { isInvisible } from '../../base/text.ts'
import { assertNever } from '../../base/assert-never.ts'
import { nearest } from '../../base/nearest.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import type { SkillInfo } from '../../protocol/http/skill.ts'
import { limits } from '../../protocol/limits.ts'
import { localCommands } from '../../protocol/local-commands.ts'
import { type Append, refuse } from '../append.ts'
import type { Catalogue, CommandFile, World } from '../catalogue.ts'
import { askEdge, closeCommand, type Command, openCommand } from '../commands/command.ts'
import { parseArguments } from '../commands/grammar.ts'
import { commands, findCommand } from '../commands/registry.ts'
import { activateSkill } from '../commands/skills.ts'
import { expandCommandFile, isTooLong } from './command-file.ts'
import { sayPrompt } from './prompt.ts'

/** Commands that belong to one client's screen; the server refuses them. */
const local: readonly string[] = localCommands.map(({ name }) => name)

export interface Typed {
  name: string
  /** The text behind the name. */
  args: string
  /** The whole input, as it was typed. */
  text: string
}

/** `/name …`: a command of the session’s, a command file or a skill; else a no. */
export function routeCommand(append: Append, typed: Typed, catalogue: Catalogue): Refusal | null {
  const { name, args, text } = typed
  const found = findTyped(name, catalogue)
  switch (found?.kind) {
    case 'command':
      return runCommand(append, { command: found.command, typed }, catalogue)
    case 'local':
      return refuse(
        'local_command',
        `/${name} belongs to the screen you type at, not to the session. Type it in the page.`,
      )
    case 'file':
      return sayFile(append, { file: found.file, typed }, catalogue)
    case 'skill':
      return activateSkill(append, { name, prompt: args.trim(), text }, catalogue)
    case undefined:
      return unknownCommand(name, catalogue)
    default:
      return assertNever(found)
  }
}

function runCommand(
  append: Append,
  { command, typed }: { command: Command; typed: Typed },
  catalogue: Catalogue,
): Refusal | null {
  const parsed = parseArguments(command.grammar ?? {}, typed.args)
  if (!parsed.ok) return refuse('bad_usage', `${capital(parsed.error)}. Usage: ${command.usage}`)
  const input = { args: parsed.value, text: typed.text }
  if (!command.run) return askEdge(append, command.name, input)
  return command.run(append, input, catalogue)
}

function sayFile(
  append: Append,
  { file, typed }: { file: CommandFile; typed: Typed },
  catalogue: Catalogue,
): Refusal | null {
  if (isTooLong(file, typed.args))
    return refuse('too_large', `With so much text /${file.name} is longer than a prompt can be.`)
  const { text, commands } = expandCommandFile(file, typed.args)
  if (isInvisible(text)) return refuse('empty_input', `The command file of /${file.name} is empty.`)
  if (append.state.calls.length + commands.length > limits.waitingCalls)
    return refuse('queue_full', `/${file.name} would run ${commands.length} commands at once.`)
  const call = openCommand(append, { name: 'command_file', text: typed.text })
  closeCommand(append, call, `/${file.name} is a prompt of the ${file.source}’s.`)
  const attachments = commands.map((command) => ({ kind: 'command', command }) as const)
  return sayPrompt(append, { text, with: attachments }, catalogue)
}

function unknownCommand(name: string, { files, skills }: Catalogue): Refusal {
  const known = [...commands, ...files, ...skills].map((each) => each.name)
  const near = nearest(name, [...known, ...local])
  const meant = near.length === 0 ? '' : ` Did you mean ${near.map((one) => `/${one}`).join(', ')}?`
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name
  return refuse(
    'unknown_command',
    `There is no command /${shown}.${meant} To say it to the model, begin with a backslash: \\/${shown}`,
    { near },
  )
}

function capital(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1)
}

/** The meaning of a typed `/name`. */
type Found =
  | { kind: 'command'; command: Command }
  | { kind: 'local' }
  | { kind: 'file'; file: CommandFile }
  | { kind: 'skill'; skill: SkillInfo }

/** A name is taken in this order: nobody’s file can put itself before a command of ours. */
export function findTyped(name: string, { files, skills }: Names): Found | null {
  const command = findCommand(name)
  if (command) return { kind: 'command', command }
  if (local.includes(name)) return { kind: 'local' }
  const file = files.find((each) => each.name === name)
  if (file) return { kind: 'file', file }
  const skill = skills.find((each) => each.name === name)
  return skill ? { kind: 'skill', skill } : null
}

export type Names = Pick<World, 'files' | 'skills'>
