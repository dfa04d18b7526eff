import type { SkillInfo } from '../protocol/skill.ts'
import type { CommandFile, World } from './catalogue.ts'
import { expandCommandFile, isTooLong } from './command-file.ts'
import type { Command } from './commands/command.ts'
import { findCommand } from './commands/registry.ts'
import { localCommands, parseInput } from './input.ts'

/** What a typed `/name` stands for. */
export type Found =
  | { kind: 'command'; command: Command }
  | { kind: 'local' }
  | { kind: 'file'; file: CommandFile }
  | { kind: 'skill'; skill: SkillInfo }

/** A name is taken in this order: nobody’s file can put itself before a command of ours. */
export function findTyped(name: string, { files, skills }: Names): Found | null {
  const command = findCommand(name)
  if (command) return { kind: 'command', command }
  if (localCommands.includes(name)) return { kind: 'local' }
  const file = files.find((each) => each.name === name)
  if (file) return { kind: 'file', file }
  const skill = skills.find((each) => each.name === name)
  return skill ? { kind: 'skill', skill } : null
}

type Names = Pick<World, 'files' | 'skills'>

/** The text in which an input mentions files: a command file may do so itself. */
export function mentioningText(input: string, names: Names): string {
  const directive = parseInput(input, 'auto')
  const found = directive.kind === 'command' ? findTyped(directive.name, names) : null
  if (directive.kind !== 'command' || found?.kind !== 'file') return input
  if (isTooLong(found.file, directive.args)) return input
  return expandCommandFile(found.file, directive.args).text
}
