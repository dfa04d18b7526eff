import { assertNever } from '../protocol/assert-never.ts'
import { limits } from '../protocol/limits.ts'
import type { Refusal } from '../protocol/refusal.ts'
import { activateSkill } from './activate-skill.ts'
import type { Append } from './append.ts'
import type { Catalogue, CommandFile } from './catalogue.ts'
import { expandCommandFile, isTooLong } from './command-file.ts'
import { closeCommand, type Command, openCommand } from './commands/command.ts'
import { parseArguments } from './commands/grammar.ts'
import { commands } from './commands/registry.ts'
import { findTyped } from './find-typed.ts'
import { localCommands } from './input.ts'
import { nearest } from './nearest.ts'
import { sayPrompt } from './prompt.ts'
import { refuse } from './refuse.ts'

export interface Typed {
  name: string
  /** What stands behind the name. */
  args: string
  /** All of it, as it was typed. */
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
        `/${name} belongs to the screen you type at, not to the session.`,
      )
    case 'file':
      return sayFile(append, { file: found.file, typed }, catalogue)
    case 'skill':
      return activateSkill(append, { name, wish: args.trim(), text }, catalogue)
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
  const parsed = parseArguments(command.grammar, typed.args)
  if (!parsed.ok) return refuse('bad_usage', `${capital(parsed.error)}. Usage: ${command.usage}`)
  return command.run(append, { args: parsed.value, text: typed.text }, catalogue)
}

function sayFile(
  append: Append,
  { file, typed }: { file: CommandFile; typed: Typed },
  catalogue: Catalogue,
): Refusal | null {
  if (isTooLong(file, typed.args))
    return refuse('too_large', `With so much text /${file.name} is longer than a prompt can be.`)
  const { text, commands } = expandCommandFile(file, typed.args)
  if (text.trim() === '')
    return refuse('empty_input', `The command file of /${file.name} is empty.`)
  if (append.state.calls.length + commands.length > limits.waitingCalls)
    return refuse('queue_full', `/${file.name} would run ${commands.length} commands at once.`)
  const call = openCommand(append, { name: 'command_file', text: typed.text })
  closeCommand(append, call, `/${file.name} is a prompt of the ${file.source}’s.`)
  const attachments = commands.map((command) => ({ kind: 'command', command }) as const)
  return sayPrompt(append, { text, with: attachments }, catalogue)
}

function unknownCommand(name: string, { files, skills }: Catalogue): Refusal {
  const known = [...commands, ...files, ...skills].map((each) => each.name)
  const near = nearest(name, [...known, ...localCommands])
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
