import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { checked, flip, pagesOf, settle } from '../faults/support/damage.ts'
import { readServerInfo } from '../../src/server/process/one-server.ts'
import { createWorld, lastLine } from './cli.ts'

const world = createWorld()
afterAll(world.end)

test('[STORE39] the command line names damaged sessions and exports what can be read', async () => {
  for (let n = 1; n <= 8; n += 1) await world.run(['run', `echo word-${n}-${'x'.repeat(700)}`])
  const { stdout } = await world.run(['sessions', 'ls', '--json'])
  const [{ id }] = lastLine(z.tuple([z.object({ id: z.string() })]), stdout)
  const { pid } = readServerInfo(world.home)!
  process.kill(pid, 'SIGKILL')
  const file = join(world.home, 'tandem.db')
  settle(file)
  flip(file, pagesOf(file, 'events')[2]!)
  await world.run(['sessions', 'ls'])
  expect((await checked(world.home)).damaged).toEqual([id])
  const listed = await world.run(['sessions', 'ls'])
  expect(listed.stderr).toMatch(
    /^tandem: The database is damaged: 1 session cannot be read whole\./,
  )
  expect(listed.stderr).toContain(id)
  expect(await world.run(['sessions', 'show', id])).toMatchObject({
    stderr: expect.stringContaining('The log is damaged'),
  })
  const exported = await world.run(['sessions', 'export', id.slice(0, 8), '--format', 'md'])
  expect(exported.code).toBe(0)
  expect(exported.stdout).toMatch(/word-8-/)
  expect(exported.stdout).toMatch(/> Events? .* cannot be read: the database is damaged\./)
  expect(exported.stderr).toContain('its log is damaged; what could not be read is named in it.')
})
