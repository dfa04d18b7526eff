import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { AuditRow } from '../../src/protocol/events/audit.ts'
import { createWorld } from './cli.ts'

const world = createWorld()
afterAll(() => world.end())

async function audit(...args: readonly string[]): Promise<readonly AuditRow[]> {
  const { code, stdout } = await world.run(['audit', '--jsonl', ...args])
  expect(code).toBe(0)
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => AuditRow.parse(JSON.parse(line)))
}
const told = (rows: readonly AuditRow[]) =>
  rows.map(({ kind, who, client, command, decision, decidedBy }) =>
    [kind, who, client, command, decision, decidedBy].join(' | '),
  )

test('[AUD1] what was proposed, asked, answered and run is told, with who, from where, and why', async () => {
  expect(await world.run(['audit'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'There is nothing to tell yet.\n',
  })
  await world.run(['-p', 'list the files'])
  const asked = await world.run(['-p', 'clean up', '--continue'])
  expect(asked.code).toBe(3)
  const [ask = ''] = /ask-\S+/.exec(asked.stderr) ?? []
  expect((await world.run(['answer', ask, 'deny'])).code).toBe(0)
  await world.run(['run', '--', 'echo own; false'])
  expect(told(await audit())).toEqual([
    'proposed | model |  | ls |  | ',
    'ran | model |  | ls | allow | policy',
    'proposed | model |  | rm -rf tandem-demo |  | ',
    'asked | system |  | rm -rf tandem-demo | ask | policy',
    'answered | user | cli | rm -rf tandem-demo | deny | person',
    'denied | model |  | rm -rf tandem-demo | deny | person',
    'ran | user | cli | echo own; false |  | ',
  ])
  const [, ls, , question, , denied, own] = await audit()
  expect(ls).toMatchObject({ grade: 'reads', reasons: ['it only reads'], exit: 0, source: 'model' })
  expect(question).toMatchObject({ grade: 'destroys', reasons: ['deletes tandem-demo'] })
  expect(denied).toMatchObject({ answeredBy: { who: 'user', name: null, client: 'cli' } })
  expect(own).toMatchObject({ exit: 1, outcome: 'ended', source: 'bash' })
})

test('[AUD1] the table says it in words, and kinds, a session and a time narrow it down', async () => {
  const { stdout } = await world.run(['audit'])
  expect(stdout).toMatch(
    /^session [0-9a-f-]{36}\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}proposed {2}demo\/offline: ls\n/,
  )
  expect(stdout).toContain('exit 0; allowed by the policy; it only reads\n')
  expect(stdout).toContain('hard to undo; deletes tandem-demo\n')
  expect(stdout).toContain('denied by you (cli)\n')
  expect((await audit('--denied', '--asked')).map(({ kind }) => kind)).toEqual(['asked', 'denied'])
  expect(await audit('--since', '1h')).toHaveLength(7)
  expect(await audit('--since', '2999-01-01')).toEqual([])
  const [{ session } = { session: '' }] = await audit()
  expect(await audit('--session', session.slice(0, 20))).toHaveLength(7)
  const { stdout: json } = await world.run(['audit', '--json', '--ran'])
  expect(AuditRow.array().parse(JSON.parse(json))).toHaveLength(2)
  expect((await world.run(['audit', '--since', 'soon'])).code).toBe(2)
  expect((await world.run(['audit', '--session', 'nobody'])).code).toBe(1)
})

test('[AUD1] secrets and private commands are not told, nor do control characters steer the terminal', async () => {
  const token = ['ghp', 'a1B2'.repeat(9)].join('_')
  await world.run(['run', '--', `true ${token}`])
  await world.run(['run', '--', 'export MY_PASSWORD=hunter2hunter2'])
  await world.run(['run', '--private', '--', 'true quiet-please'])
  await world.run(['run', '--', "true '\u202e \u001b[2J'"])
  const all = await Promise.all(
    [['audit'], ['audit', '--json'], ['audit', '--jsonl']].map((args) => world.run(args)),
  )
  for (const { stdout } of all) {
    expect(stdout).not.toMatch(/a1B2|hunter2|quiet-please|[\u0000-\u0009\u000b-\u001f]/)
    expect(stdout).toContain('[redacted]')
  }
  expect(all[0]?.stdout).toContain('(private)')
  expect(all[0]?.stdout).not.toContain('\u202e')
})

test('[AUD1] the rows of a session go with it', async () => {
  const before = await audit()
  const [{ session } = { session: '' }] = before
  expect((await world.run(['sessions', 'rm', '-y', session])).code).toBe(0)
  const after = await audit()
  expect(after.some((row) => row.session === session)).toBe(false)
  expect(after.length).toBe(before.filter((row) => row.session !== session).length)
  expect(existsSync(join(world.home, 'audit'))).toBe(false)
})
