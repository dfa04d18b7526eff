import type { CommandFile } from './catalogue.ts'
import { expandMarkdown } from './command-file-md.ts'
import { expandToml } from './command-file-toml.ts'

/** A prompt made from a file: its text, and the shell commands whose output it asks for, in order. */
export interface Expanded {
  text: string
  commands: readonly string[]
}

/** Fills in what was typed behind the name. What comes in that way is never looked through again. */
export function expandCommandFile(file: CommandFile, args: string): Expanded {
  return file.syntax === 'md' ? expandMarkdown(file.template, args) : expandToml(file, args)
}
