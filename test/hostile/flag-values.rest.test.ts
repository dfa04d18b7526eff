import { afterAll, beforeAll, expect, test } from 'vitest'
import { exitCode } from '../../src/cli/exit-code.ts'
import { createWorld } from '../cli/cli.ts'
import {
  evil,
  expectLine,
  fitting,
  flagOf,
  flags,
  type Leaf,
  takesValue,
  wordsOf,
} from './command-line.ts'
import { openWitness, type Witness } from './witness.ts'

let witness: Witness

beforeAll(async () => {
  witness = await openWitness()
})

afterAll(() => witness.close())

/** Flags whose value only the server, or the file system, can refuse. A prompt is any text; `serve` finds a server. */
const unchecked = flags.filter(
  ([name, { option }]) =>
    takesValue(option) &&
    option.parseArg === undefined &&
    option.argChoices === undefined &&
    !/^(?:prompt --prompt|serve )/.test(name),
)

test('[BAD7] a value that only the server can refuse is refused in one clean line', async () => {
  const { server } = witness
  const world = createWorld({ TANDEM_HOME: server.home })
  for (const [name, { leaf, option }] of unchecked) {
    const right = leaf.words[0] === 'prompt' ? ['-p', 'touch canary'] : rightOf(leaf)
    for (const value of [evil, '__proto__', '../../../no/such']) {
      const args = [...wordsOf(leaf), flagOf(option), value, ...right]
      const { code, stdout, stderr } = await world.run(args, { cwd: server.workspace })
      const said = `${name} ${JSON.stringify(value)}: ${stdout.slice(0, 100)}`
      expect.soft([exitCode.error, exitCode.usage, exitCode.config], said).toContain(code)
      expect.soft(stdout, said).toBe('')
      expectLine(stderr, said)
    }
  }
  world.remove()
  await witness.check('values of flags')
})

/** Words that the command line itself takes, so that what is wrong is wrong alone. */
const rightOf = ({ words, command }: Leaf) =>
  command.registeredArguments.map((argument) =>
    words[0] === 'task' && argument.name() === 'id' ? 'T0001' : fitting(argument),
  )
