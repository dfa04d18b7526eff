import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { consoleBlocks } from './blocks.ts'
import { openReader } from './reader.ts'
import { createShown } from './shown.ts'

/** The small repository that the documents speak of. */
function makeHello(home: string): void {
  const folder = join(home, 'hello')
  mkdirSync(join(folder, 'dist'), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: folder, env: { PATH: process.env['PATH'], HOME: home } })
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\nname = Ada\nemail = ada@example.org\n[init]\ndefaultBranch = main\n',
  )
  write('README.md', '# Hello\n')
  write('main.js', "console.log('hello')\n")
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'Say hello')
  write('main.js', "console.log('hello, world')\n")
}

/** Types every command of a document in order, and says where it is not told as it is. */
async function read(document: string) {
  const blocks = consoleBlocks(readFileSync(document, 'utf8'))
  const reader = await openReader()
  onTestFinished(() => reader.leave())
  makeHello(reader.home)
  const shown = createShown()
  const untrue: object[] = []
  let commands = 0
  for (const { line, steps } of blocks)
    for (const step of steps) {
      const command = shown.command(step.command)
      const difference = shown.compare(step.expected, await reader.type({ ...step, command }))
      if (difference !== null) untrue.push({ block: `${document}:${line}`, command, ...difference })
      commands += 1
    }
  return { untrue, commands }
}

test('[GUIDE1] every command that the getting-started page shows prints what it says', async () => {
  const { untrue, commands } = await read('docs/getting-started.md')
  expect(untrue).toEqual([])
  expect(commands).toBeGreaterThan(10)
})

test('[GUIDE1] every command that the README shows prints what it says', async () => {
  const { untrue, commands } = await read('README.md')
  expect(untrue).toEqual([])
  expect(commands).toBeGreaterThan(5)
})

test('[GUIDE1] a page that shows what is not printed is found out', () => {
  const shown = createShown()
  const one = '01a1e163-1249-75b4-a1f8-675f550d7b50'
  const other = '01a1e163-1249-75b4-a1f8-000000000000'
  expect(shown.compare(['a', '…', 'b … c 0.0s'], 'a\n1\n2\nb x c 1.4s\n')).toBeNull()
  expect(shown.compare(['a', 'b'], 'a\nc\n')).toEqual({ shown: 'a\nb', printed: 'a\nc' })
  expect(shown.compare([`id ${one}`], `id ${other}\n`)).toBeNull()
  expect(shown.command(`answer ${one}`)).toBe(`answer ${other}`)
  expect(shown.compare([`id ${one}`], `id ${one}\n`)).not.toBeNull()
  expect(
    consoleBlocks('```console\n~/a$ tandem x\nsays\n~$ echo $?\n1\n```\n```sh\ntandem y\n```'),
  ).toEqual([
    {
      line: 1,
      steps: [
        { folder: '/a', command: 'tandem x', expected: ['says'] },
        { folder: '', command: 'echo $?', expected: ['1'] },
      ],
    },
  ])
})
