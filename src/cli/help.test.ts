import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { exitCode } from './exit-code.ts'
import { helpText } from './help.ts'
import { buildProgram } from './program.ts'

function every(command: Command): Command[] {
  return [command, ...command.commands.flatMap(every)]
}

test('[CLI15] the help fits 80 columns, begins with examples and knows every command, flag and exit code', () => {
  const wide = helpText.split('\n').filter((line) => line.length >= 80)
  expect(wide, `shorten in src/cli/help.ts: ${wide.join()}`).toEqual([])
  expect(helpText.indexOf('Examples:')).toBeLessThan(helpText.indexOf('Usage:'))
  const commands = every(buildProgram(async () => {}))
  const names = commands.map((command) => command.name()).filter((name) => name !== 'prompt')
  const options = commands.flatMap((command) => command.options).filter(({ hidden }) => !hidden)
  const flags = options.map(({ long }) => long ?? '')
  const codes = Object.values(exitCode).map(String)
  const unknown = [...names, ...flags, ...codes].filter((word) => !helpText.includes(word))
  expect(unknown, 'src/cli/help.ts does not mention these').toEqual([])
})
