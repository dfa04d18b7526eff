// needs: root
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, processesOf, type World } from './cli.ts'

let world: World
beforeAll(() => {
  world = createWorld()
})
afterAll(() => world.end())

const shellsLeft = () => processesOf(world.env.HOME)

interface Line {
  command: string
  pre?: readonly string[]
  mode?: string
}

async function explainAll(lines: readonly (Line | string)[], ...flags: readonly string[]) {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  const { code, stdout, stderr } = await world.run(['explain', '--jsonl', ...flags], {
    input: texts.join('\n'),
  })
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { code, stderr, answers }
}

test('[CLI83] every line gets its verdict, in order, each in the state that its own `pre` has left', async () => {
  writeFileSync(join(world.folder, 'package.json'), '{"scripts":{"test":"true"}}')
  const { code, answers } = await explainAll(
    [
      { command: 'ls', pre: ["alias ls='rm -rf'"] },
      { command: 'ls' },
      { command: 'env A=b timeout 5 nice git push -f' },
      { command: 'pwd', pre: ['cd /'] },
      { command: 'pwd', pre: ['mkdir inner', 'cd inner'] },
      { command: 'npm test', pre: ['rm package.json'] },
      { command: 'npm test' },
      { command: 'ls', mode: 'ask-all' },
      { command: 'rm x', mode: 'refuse' },
      { command: 'skill list' },
    ],
    '--trust',
  )
  expect(answers.map(({ decision }) => decision)).toEqual(
    'ask allow ask ask allow ask allow ask deny allow'.split(' '),
  )
  expect(answers[2]).toEqual({
    command: 'env A=b timeout 5 nice git push -f',
    decision: 'ask',
    grade: 'destroys',
    reasons: expect.arrayContaining(['rewrites the branch on its remote']),
    effective: 'git push -f',
  })
  expect(code).toBe(0)
  expect(existsSync(join(world.folder, 'inner'))).toBe(false)
  expect(existsSync(join(world.folder, 'package.json'))).toBe(true)
  expect(shellsLeft()).toEqual([])
})

test('[CLI83] a `pre` changes nothing: not a large folder, not one that it names, not the home, for no other line', async () => {
  const large = join(world.folder, 'large')
  mkdirSync(large)
  for (let n = 0; n < 2_100; n++) writeFileSync(join(large, `f${n}`), '')
  writeFileSync(join(world.folder, 'package.json'), '{"scripts":{"test":"true"}}')
  const { HOME } = world.env
  writeFileSync(join(HOME, '.bashrc'), '')
  const before = [readdirSync(world.folder), readdirSync(HOME)]
  const { code, answers } = await explainAll(
    [
      { command: 'npm test', pre: ['rm package.json'] },
      { command: 'npm test', pre: [`rm ${world.folder}/package.json`] },
      { command: 'ls', pre: ["echo 'alias ls=rm' >> ~/.bashrc", 'bash --version'] },
      { command: 'ls', pre: ['mkdir -p ~/kept x', 'echo "alias ls=rm" > ~/.bash_aliases'] },
      { command: 'cat x/y', pre: ['mkdir x', 'ln -s /etc/shadow x/y'] },
      { command: 'cat x/y', pre: ['mkdir x', 'ln -s ../package.json x/y'] },
      { command: 'npm test', pre: ['true'] },
      { command: 'ls', pre: ['kill -9 -1'] },
    ],
    '--trust',
  )
  expect(answers.map(({ decision }) => decision)).toEqual(
    'ask ask allow allow ask allow allow ask'.split(' '),
  )
  expect(answers[4]).toMatchObject({
    reasons: ['reads /etc/shadow, which is a secret by its name'],
  })
  expect(code).toBe(0)
  expect([readdirSync(world.folder), readdirSync(HOME)]).toEqual(before)
  expect(readFileSync(join(HOME, '.bashrc'), 'utf8')).toBe('')
  expect(shellsLeft()).toEqual([])
})

test('[CLI83] where the machine gives a `pre` no files of its own nothing of it runs, and its line asks', async () => {
  // Without the program that makes a world there is none.
  const bin = join(world.env.HOME, 'bin')
  mkdirSync(bin)
  for (const name of ['bash', 'sh', 'ls', 'env', 'cat', 'touch', 'mkdir', 'rm', 'stty', 'setsid'])
    symlinkSync(join('/usr/bin', name), join(bin, name))
  const poor = createWorld({ PATH: bin })
  const { code, stdout } = await poor.run(['explain', '--jsonl'], {
    input: [
      '{"command":"ls","pre":["touch ran"]}',
      '{"command":"ls","pre":["true"],"mode":"refuse"}',
    ].join('\n'),
  })
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(answers).toMatchObject([
    { decision: 'ask', grade: null, reasons: [expect.stringContaining('did not run')] },
    { decision: 'deny' },
  ])
  expect(code).toBe(0)
  expect(existsSync(join(poor.folder, 'ran'))).toBe(false)
  await poor.end()
})

test('[CLI83] a `pre` that ends, replaces or keeps its shell asks, and keeps no other line from its verdict', async () => {
  const stuck = ['exit', 'exec sh', 'cat', 'kill -9 $$', 'bash', 'trap : DEBUG', 'sleep 1000 | cat']
  const { code, answers } = await explainAll([
    ...stuck.map((command) => ({ command: 'ls', pre: [command] })),
    { command: 'ls', pre: ['seq 100000'] },
  ])
  expect(answers.map(({ decision }) => decision)).toEqual([...stuck.map(() => 'ask'), 'allow'])
  expect(code).toBe(0)
  expect(shellsLeft()).toEqual([])
})

test('[CLI83] a line that is none gets an error in its place', async () => {
  const { code, answers } = await explainAll(
    [
      '{"command":"ls"}',
      'ls',
      '',
      '{"command":1}',
      '{"command":"ls","mode":"never"}',
      '{"command":"ls","note":1}',
    ],
    '--shell',
    'bash',
  )
  expect(answers.map((answer) => Object.keys(answer)[0])).toEqual(
    'command error error error error command'.split(' '),
  )
  expect(code).toBe(2)
  expect((await world.run(['explain', '--jsonl', 'ls'])).code).toBe(2)
  expect(await world.run(['explain', '--jsonl'])).toEqual({ code: 0, stdout: '', stderr: '' })
})
