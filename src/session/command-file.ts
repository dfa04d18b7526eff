import { limits } from '../protocol/limits.ts'
import type { CommandFile } from './catalogue.ts'
import { expandMarkdown } from './command-file-md.ts'
import { expandToml } from './command-file-toml.ts'

/** A prompt made from a file: its text, and the shell commands whose output it asks for, in order. */
export interface Expanded {
  text: string
  commands: readonly string[]
}

/** A file may repeat what is typed: whether all of it would be more than an input may have. */
export function isTooLong({ template }: CommandFile, args: string): boolean {
  const places = template.match(/\$ARGUMENTS|\$[1-9]|\{\{args\}\}/g)?.length ?? 0
  return template.length + Math.max(places, 1) * args.length > limits.inputChars
}

/** Fills in what was typed behind the name. What comes in that way is never looked through again. */
export function expandCommandFile(file: CommandFile, args: string): Expanded {
  return file.syntax === 'md' ? expandMarkdown(file.template, args) : expandToml(file, args)
}
