import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, processesOf, type World } from './cli.ts'

let world: World
beforeAll(() => {
  world = createWorld()
})
afterAll(() => world.end())

const explain = (...words: readonly string[]) => world.run(['explain', ...words])

const here = () => `  in: ${world.folder}\n  mode: Ask for changes (guarded)\n`

test('[APP8] what the card would show is said: that nobody can say what it does, parts, places, and the offered rule', async () => {
  symlinkSync('/etc', join(world.folder, 'link'))
  expect((await explain('ls "$(')).stdout).toContain('  effect: Nobody can say what it does\n')
  expect((await explain('pwd && rm -rf link/none')).stdout).toContain(
    '  because: deletes link/none\n     rm -rf link/none → /etc/none\n',
  )
  expect((await explain('npm install x')).stdout).toContain(
    '  could be allowed: Always in this folder. In every session here, until tandem approval rm takes it back.\n     exactly `npm install x`, in this folder\n',
  )
  const { stdout } = await explain('pwd && rm -rf link/none', '--json')
  const reason = 'deletes link/none'
  expect(JSON.parse(stdout)).toMatchObject({
    reasons: [reason],
    causes: [{ reason, part: 'rm -rf link/none', targets: ['/etc/none'] }],
  })
})

test('[APP8] without a server it is said whether a command would ask, its effect and why, and nothing runs', async () => {
  expect(await explain('ls | head -3')).toEqual({
    code: 0,
    stdout: `Runs unasked: ls | head -3\n  effect: Only reads\n${here()}  because: it only reads\n`,
    stderr: '',
  })
  writeFileSync(join(world.folder, 'kept'), '')
  expect(await explain('rm -rf kept')).toEqual({
    code: 3,
    stdout: `Asks first: rm -rf kept\n  effect: Hard to undo\n${here()}  because: deletes kept\n`,
    stderr: '',
  })
  expect(existsSync(join(world.folder, 'kept'))).toBe(true)
  expect(existsSync(world.home)).toBe(false)
  expect(processesOf(world.env.HOME)).toEqual([])
})

test('[APP8] the shell of the person says what a name means in it', async () => {
  const startFile = join(world.env.HOME, '.bashrc')
  writeFileSync(startFile, 'ls() { command ls --color "$@"; }\n')
  const { code, stdout } = await explain('ls', '--json')
  expect(code).toBe(3)
  expect(JSON.parse(stdout)).toEqual({
    command: 'ls',
    decision: 'ask',
    grade: null,
    reasons: [expect.stringContaining('`ls` is a function')],
    effective: 'ls',
  })
  writeFileSync(startFile, '')
})

test('[APP8] a task runs unasked only in a folder that a person trusts', async () => {
  writeFileSync(join(world.folder, 'package.json'), '{"scripts":{"test":"true"}}')
  expect((await explain('npm test')).code).toBe(3)
  await world.run(['trust'])
  expect(await explain('npm test')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('runs npm test, which this folder declares'),
  })
})
