import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { exitCode } from '../../src/cli/exit-code.ts'
import { buildProgram, runProgram } from '../../src/cli/program.ts'
import { createWorld } from '../cli/cli.ts'
import {
  evil,
  expectLine,
  fitting,
  flagOf,
  flags,
  leaves,
  long,
  named,
  takesValue,
  wordsOf,
} from './command-line.ts'
import { openWitness, type Witness } from './witness.ts'

interface Ended {
  code: number
  said: string
  hasBegun: boolean
}

/** The command line in this process; nothing behind it may be reached. */
async function run(args: readonly string[]): Promise<Ended> {
  let said = ''
  let hasBegun = false
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text)
    return true
  })
  const out = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  try {
    const code = await runProgram(args, () => {
      hasBegun = true
      throw new Error('begun')
    })
    return { code, said, hasBegun }
  } finally {
    write.mockRestore()
    out.mockRestore()
  }
}

/** Exit 2 and one clean line, and nothing has begun. */
async function expectUsage(args: readonly string[]): Promise<void> {
  const name = JSON.stringify(args).slice(0, 200)
  const { code, said, hasBegun } = await run(args)
  expect.soft([code, hasBegun], `${name}: ${said.slice(0, 300)}`).toEqual([exitCode.usage, false])
  expectLine(said, name)
}

test.each(named)(
  '[BAD7] %s: words and flags that it does not know are one clean line',
  async (_, leaf) => {
    const words = wordsOf(leaf)
    const places = leaf.command.registeredArguments
    const right = places.map(fitting)
    const isVariadic = places.some(({ variadic }) => variadic)
    for (const flag of [
      '--surprise',
      '-Z',
      `--${evil}`,
      `--${long}`,
      '--__proto__',
      '--constructor=1',
      '---x',
    ])
      await expectUsage([...words, flag, ...right])
    if (!isVariadic) await expectUsage([...words, ...right, 'more'])
    if (!isVariadic) await expectUsage([...words, ...right, evil])
    if (!isVariadic) await expectUsage([...words, '--', ...right, '--json'])
    const needed = places.filter(({ required }) => required).length
    if (needed > 0) await expectUsage([...words, ...right.slice(0, needed - 1)])
  },
)

test.each(flags)(
  '[BAD7] %s: a value that is missing, wrong or not wanted is one clean line',
  async (_, { leaf, option }) => {
    const words = wordsOf(leaf)
    const right = leaf.command.registeredArguments.map(fitting)
    const flag = flagOf(option)
    if (!takesValue(option)) {
      for (const value of ['yes', '', evil, long])
        await expectUsage([...words, `${flag}=${value}`, ...right])
      return
    }
    await expectUsage([...words, ...(leaf.words[0] === 'run' ? [] : right), flag])
    const isChecked = option.parseArg !== undefined || option.argChoices !== undefined
    const wrong = [
      '',
      ' ',
      '-1',
      '1e3',
      '0x10',
      'NaN',
      '__proto__',
      evil,
      long,
      '９',
      '1\n2',
      '99999999999999999999',
    ]
    if (!isChecked) return
    for (const value of wrong) {
      await expectUsage([...words, flag, value, ...right])
      await expectUsage([...words, `${flag}=${value}`, ...right])
    }
    // The last of two does not excuse the first.
    await expectUsage([...words, flag, 'wrong', flag, 'wrong', ...right])
  },
)

test('[BAD7] any first words that are no command begin nothing and are one clean line', async () => {
  const names = new Set(buildProgram(async () => {}).commands.map((each) => each.name()))
  const word = fc
    .string({ unit: 'binary', minLength: 1 })
    .filter((text) => !names.has(text) && !text.startsWith('-') && text !== 'help')
  await fc.assert(
    fc.asyncProperty(
      word,
      fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }),
      async (first, rest) => {
        const { code, said, hasBegun } = await run([first, ...rest])
        expect([code, hasBegun]).toEqual([exitCode.usage, false])
        expect(said).toMatch(/^tandem: [^\n]+\n$/)
        // eslint-disable-next-line no-control-regex -- control characters are what must not be there
        expect(said.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
      },
    ),
    { numRuns: 200 },
  )
})

let witness: Witness

beforeAll(async () => {
  witness = await openWitness()
})

afterAll(() => witness.close())

/** Well-formed words that mean nothing here, or nothing good. */
const meaningless: readonly (readonly string[])[] = [
  ['sessions', 'show', evil],
  ['sessions', 'show', long],
  ['sessions', 'show', '../../etc/passwd'],
  ['sessions', 'rm', '%00', '-y'],
  ['sessions', 'rename', 'nobody', 'x'],
  ['sessions', 'export', 'nobody', '-o', '/no/such/folder/x'],
  ['run', '--session', evil, '--', 'touch canary'],
  ['-p', 'touch canary', '--session', '__proto__'],
  ['answer', evil, 'allow'],
  ['answer', 'ask-00000000-0000-0000-0000-000000000000', 'deny', '--word', long],
  ['repo', 'add', '/no/such/folder'],
  ['models', 'add', evil],
  ['models', 'test', 'nobody'],
  ['models', 'rm', evil],
  ['repo', 'add', '.', '--name', '../..'],
  ['repo', 'rm', evil],
  ['repo', 'ls', '--team', evil],
  ['task', 'assign', 'T9999', evil],
  ['task', 'done', 'DROP TABLE'],
  ['task', 'review', '../..'],
  ['task', 'approve', evil],
  ['task', 'create', ' '],
  ['team', 'create', evil],
  ['team', 'create', 'default'],
  ['trust', '/'],
  ['trust', '/no/such/folder'],
  ['browsers', 'rm', evil],
  ['explain', ' '],
  ['cache', evil],
  ['stats', '--team', evil],
  ['approval', 'ls', '--session', evil],
  ['approval', 'rm', evil],
  ['audit', '--session', evil],
  ['audit', '--since', evil],
].filter((args) => args.length > 0)

/** These take no words of a person's, so none of them can mean nothing. */
const wordless = new Set([
  'serve',
  'models ls',
  'web',
  'token rotate',
  'stop',
  'sessions ls',
  'team ls',
  'task ls',
  'browsers ls',
])

test('[BAD7] every command that takes words has words that mean nothing in the table', () => {
  const tried = meaningless.map((args) => (args[0]?.startsWith('-') ? 'prompt' : args.join(' ')))
  const untried = leaves
    .map(({ words }) => words.join(' '))
    .filter(
      (name) => !wordless.has(name) && !tried.some((line) => `${line} `.startsWith(`${name} `)),
    )
  expect(untried).toEqual([])
  const gone = [...wordless].filter((name) => !named.some(([known]) => known === name))
  expect(gone, 'no such command any more').toEqual([])
})

test('[BAD7] words that mean nothing to the server are one clean line and its exit code', async () => {
  const { server } = witness
  const world = createWorld({ TANDEM_HOME: server.home })
  for (const args of meaningless) {
    const name = JSON.stringify(args).slice(0, 200)
    const { code, stdout, stderr } = await world.run(args, { cwd: server.workspace })
    expect
      .soft([code, stdout], `${name}: ${stderr.slice(0, 300)}`)
      .toEqual([expect.any(Number), ''])
    expect.soft([exitCode.error, exitCode.usage, exitCode.config], name).toContain(code)
    expectLine(stderr, name)
    expect.soft(stderr.includes(server.token), name).toBe(false)
  }
  world.remove()
  await witness.check('the command line')
})
