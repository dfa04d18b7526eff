import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Rule } from '../../src/protocol/events/rule.ts'
import { connect } from '../../src/server/store/database.ts'
import { createFolderRules } from '../../src/server/world/folder-rules.ts'
import { createWorld, lastLine } from './cli.ts'

const world = createWorld({ TANDEM_MODEL: 'demo/offline' })
afterAll(world.end)

test('[APP71] tandem approval lists the rules of a folder and revokes one', async () => {
  const none = await world.run(['approval'])
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('no rules') })
  const { folder } = world
  const rule: Rule = {
    id: 'rule-00000001',
    scope: 'folder',
    program: 'npm',
    args: ['ci'],
    kinds: ['code'],
    folder,
    cwd: folder,
    words: 'exactly `npm ci`, in this folder',
    matches: ['npm ci'],
    misses: ['npm'],
    by: { kind: 'user', client: 'web' },
    at: Date.now(),
  }
  const database = connect({ file: join(world.home, 'tandem.db') })
  createFolderRules(database, () => undefined).keep(rule)
  database.close()
  const { stdout } = await world.run(['approval', 'ls'])
  expect(stdout).toMatch(
    /^rule-00000001 {2}always here {2}exactly `npm ci`, in this folder {2}\(web,/,
  )
  const listed = await world.run(['approval', 'ls', '--json'])
  expect(lastLine(z.array(Rule), listed.stdout)).toEqual([rule])
  expect((await world.run(['approval', 'ls'], { cwd: '/' })).stdout).toBe('')
  expect((await world.run(['approval', 'ls', '--all'], { cwd: '/' })).stdout).toContain(folder)
  // Where no server is asked, it counts too.
  expect(await world.run(['explain', 'npm ci'])).toMatchObject({ code: 0 })
  expect(await world.run(['approval', 'rm', 'rule-00000002'])).toMatchObject({ code: 1 })
  expect(await world.run(['approval', 'rm', rule.id])).toEqual({
    code: 0,
    stdout: '',
    stderr: `Revoked: ${rule.words}\n`,
  })
  expect(await world.run(['explain', 'npm ci'])).toMatchObject({ code: 3 })
  expect((await world.run(['approval', 'ls'])).stdout).toBe('')
})
