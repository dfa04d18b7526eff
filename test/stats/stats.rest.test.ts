import { afterAll, expect, test } from 'vitest'
import { Stats } from '../../src/protocol/http/stats.ts'
import { createWorld } from '../cli/cli.ts'

const world = createWorld()
afterAll(() => world.end())

async function stats(...args: readonly string[]): Promise<Stats> {
  const { code, stdout } = await world.run(['stats', '--json', ...args])
  expect(code).toBe(0)
  return Stats.parse(JSON.parse(stdout))
}

test('[STAT3] stats count what really ran, private programs and arguments left out', async () => {
  expect((await stats()).sessions.total).toBe(0)
  const empty = await world.run(['stats'])
  expect(empty.stdout).toMatch(/nothing is sent anywhere\.\n\nNo session yet/)
  await world.run(['run', '--', 'printf first-secret; cat /dev/null'])
  await world.run(['run', '--', 'cat /nowhere/second-secret'])
  await world.run(['run', '--private', '--', 'seq 3'])
  await world.run(['-p', '!true'])
  const found = await stats()
  expect(found.sessions.total).toBe(2)
  expect(found.runs).toMatchObject({ total: 4, private: 1, ended: 4, failed: 1, failureRate: 0.25 })
  expect(found.programs).toEqual([
    { name: 'cat', runs: 2 },
    { name: 'printf', runs: 1 },
    { name: 'true', runs: 1 },
  ])
  expect(found.overhead.start.runs).toBe(4)
  expect(found.overhead.end.runs).toBe(4)
  expect(JSON.stringify(found)).not.toContain('secret')
})

test('[STAT3] a team and days narrow it down, and what cannot be is told', async () => {
  expect((await stats('--days', '1')).runs.total).toBe(4)
  expect((await stats('--team', 'default')).runs.total).toBe(4)
  expect(await stats('--team', 'nobody')).toMatchObject({ team: 'nobody', sessions: { total: 0 } })
  expect(await world.run(['stats', '--days', '0'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give a number of days, at least 1'),
  })
  expect((await world.run(['stats', '--team', 'No Team'])).stderr).toContain('not a team name')
})

test('[STAT3] the table fits 80 columns', async () => {
  const { stdout } = await world.run(['stats'])
  expect(stdout.split('\n').filter((line) => line.length >= 80)).toEqual([])
  expect(stdout).toMatch(/^sessions +2$/m)
  expect(stdout).toMatch(/^ {2}failed +1 {2}25%$/m)
  expect(stdout).toMatch(/^ {2}cat +2$/m)
})
