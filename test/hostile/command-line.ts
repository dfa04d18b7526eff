import type { Argument, Command, Option } from 'commander'
import { expect } from 'vitest'
import { buildProgram } from '../../src/cli/program.ts'

/** A command at the end of its words, such as `sessions rm`. */
export interface Leaf {
  words: readonly string[]
  command: Command
}

function leavesOf(command: Command, words: readonly string[] = []): readonly Leaf[] {
  if (command.commands.length === 0) return [{ words, command }]
  return command.commands.flatMap((each) => leavesOf(each, [...words, each.name()]))
}

export const leaves = leavesOf(buildProgram(async () => {}))
export const named = leaves.map((leaf) => [leaf.words.join(' '), leaf] as const)

/** `prompt` is the name of what has no name: its flags stand first. */
export const wordsOf = ({ words }: Leaf) => (words[0] === 'prompt' ? [] : words)

/** Words that fit each place, so that what is wrong is wrong alone. */
export const fitting = (argument: Argument) => (argument.name() === 'outcome' ? 'allow' : 'x')

/** One clean, short line of ours. */
export function expectLine(said: string, name: string): void {
  expect.soft(said, name).toMatch(/^tandem: [^\n]+\n$/)
  // eslint-disable-next-line no-control-regex -- control characters are what must not be there
  expect
    .soft(said.trimEnd(), `${name}: control characters`)
    .not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
  expect.soft(said, `${name}: a stack`).not.toMatch(/\bat \S+ \(|node:internal|\.[jt]s:\d/)
  expect.soft(said.length, `${name}: a long line`).toBeLessThan(1_000)
}

export const takesValue = (option: Option) => option.required || option.optional
export const flagOf = (option: Option) => option.long ?? option.short ?? ''
export const evil = '\u001b]0;owned\u0007\u001b[2J\u202e'
export const long = 'x'.repeat(100_000)

export const flags = leaves.flatMap((leaf) =>
  leaf.command.options.map(
    (option) => [`${leaf.words.join(' ')} ${flagOf(option)}`, { leaf, option }] as const,
  ),
)
