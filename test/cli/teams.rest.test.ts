import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Repo, Task } from '../../src/protocol/http/team.ts'
import { createWorld, lastLine } from './cli.ts'

const world = createWorld({ TANDEM_MODEL: 'demo/offline' })
afterAll(world.end)

const folder = (name: string): string => {
  const path = join(world.folder, name)
  mkdirSync(path, { recursive: true })
  return path
}

test('[TEAM10] tandem team lists teams and makes one', async () => {
  expect(await world.run(['team'])).toMatchObject({ code: 0, stdout: 'default\n' })
  expect(await world.run(['team', 'create', 'web'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Made the team web.\n',
  })
  const { stdout } = await world.run(['team', 'ls', '--json'])
  expect(lastLine(z.array(z.string()), stdout)).toEqual(['default', 'web'])
  expect(await world.run(['team', 'create', 'web'])).toMatchObject({
    code: 1,
    stderr: 'tandem: There is already a team "web".\n',
  })
})

test('[TEAM10] tandem repo registers folders relative to where one is, lists and forgets them', async () => {
  const api = folder('api')
  const shop = folder('shop')
  execFileSync('git', ['init', '--quiet', shop])
  expect(await world.run(['repo'])).toMatchObject({ code: 0, stdout: '' })
  expect(await world.run(['repo', 'add', '.'], { cwd: shop })).toMatchObject({
    code: 0,
    stderr: `${shop} is now the repo shop.\n`,
  })
  const added = await world.run(['repo', 'add', '../api', '--name', 'back', '--json'], {
    cwd: shop,
  })
  expect(lastLine(Repo, added.stdout)).toEqual({ name: 'back', path: api })
  expect((await world.run(['repo', 'ls'])).stdout).toBe(`shop  ${shop}\nback  ${api}\n`)
  const other = await world.run(['repo', 'ls', '--team', 'nobody'])
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('no team "nobody"') })
  expect(await world.run(['repo', 'rm', 'back'])).toMatchObject({ code: 0 })
  expect(await world.run(['repo', 'rm', 'back'])).toMatchObject({
    code: 1,
    stderr: 'tandem: Team "default" has no repo "back". It has: shop.\n',
  })
  const { stdout } = await world.run(['repo', 'ls', '--json'])
  expect(lastLine(z.array(Repo), stdout)).toEqual([{ name: 'shop', path: shop }])
})

test('[TASK1] tandem task leads a task from open to done', async () => {
  expect((await world.run(['task', 'create', 'paint', 'it'])).stdout).toBe(
    'T0001  open      paint it\n',
  )
  expect((await world.run(['task', 'assign', 't1', 'ann'])).stdout).toContain(
    'assigned  paint it (ann)',
  )
  await world.run(['task', 'review', 'T0001'])
  const done = await world.run(['task', 'approve', 'T0001', '--json'])
  expect(lastLine(Task, done.stdout)).toMatchObject({ id: 'T0001', status: 'done' })
  expect(await world.run(['task', 'approve', 'T0001'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('T0001 is done'),
  })
  expect(await world.run(['task', 'done', 'x'])).toMatchObject({
    code: 2,
    stderr: 'tandem: "x" is no task such as T0042. See: tandem task --help\n',
  })
  expect((await world.run(['task'])).stdout).toBe('T0001  done      paint it (ann)\n')
})

test('[TRUST1] tandem trust trusts this folder or another, lists them and takes it back', async () => {
  const shop = folder('shop')
  expect(await world.run(['trust'], { cwd: shop })).toMatchObject({
    code: 0,
    stderr: `${shop} is trusted: its settings, skills and commands count.\n`,
  })
  expect(await world.run(['trust', 'api'])).toMatchObject({ code: 0 })
  expect((await world.run(['trust', '--list'])).stdout).toBe(`${folder('api')}\n${shop}\n`)
  expect(await world.run(['trust', 'shop', '--revoke'])).toMatchObject({
    code: 0,
    stderr: `${shop} is not trusted any more.\n`,
  })
  await world.run(['trust'])
  expect(await world.run(['trust', 'api', '--revoke'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('still trusted, as part of another folder'),
  })
  expect(await world.run(['trust', 'none'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no such folder'),
  })
  expect(await world.run(['trust', 'api', '--list'])).toMatchObject({ code: 2 })
})
