import { testKey } from '../support/browser-key.ts'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createWorld, lastLine } from './cli.ts'

const world = createWorld()
let id = ''
beforeAll(async () => {
  await world.run(['run', `echo '${'x'.repeat(30)}'; seq 1 40; (exit 2)`])
  await world.run(['-p', 'what failed?', '--continue'])
  const { stdout } = await world.run(['sessions', 'ls', '--json'])
  id = lastLine(z.array(z.object({ id: z.string() })), stdout)[0]?.id ?? ''
})
afterAll(world.end)

test('[CLI12] ls lists sessions with ids that are long enough to use', async () => {
  const { code, stdout } = await world.run(['sessions', 'ls'])
  expect(code).toBe(0)
  const [head, row = ''] = stdout.trimEnd().split('\n')
  expect(head).toMatch(/^ID +AGE +FOLDER/)
  const short = row.split(' ')[0] ?? ''
  expect(id.startsWith(short)).toBe(true)
  const shown = await world.run(['sessions', 'show', short])
  expect(shown.stdout).toContain(id)
})

test('[CLI41] show tells a session as text, long outputs collapsed', async () => {
  const { code, stdout } = await world.run(['sessions', 'show', id.slice(0, 12)])
  expect(code).toBe(0)
  expect(stdout).toMatch(/\$ echo .*\d\.\ds ✗ \(exit 2\)/)
  expect(stdout).toContain('  … 31 more lines')
  expect(stdout).toContain('> what failed?')
  expect(stdout).not.toContain('\u001b')
})

test('[CLI41] rename is seen in the list', async () => {
  expect(await world.run(['sessions', 'rename', id, 'the failing build'])).toMatchObject({
    code: 0,
  })
  expect((await world.run(['sessions', 'ls'])).stdout).toContain('the failing build')
})

test('[CLI41] export writes the session in every format, to stdout or a file', async () => {
  const md = await world.run(['sessions', 'export', id])
  expect(md.stdout).toContain('# the failing build')
  const json = await world.run(['sessions', 'export', id, '--format', 'json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ session: id })
  const file = join(world.folder, 'log.jsonl')
  const args = ['sessions', 'export', id, '--format', 'jsonl', '-o', file]
  expect(await world.run(args)).toMatchObject({ code: 0, stdout: '' })
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => lastLine(z.object({ seq: z.number() }), line).seq)).toEqual(
    lines.map((_, index) => index + 1),
  )
  const failed = await world.run(['sessions', 'export', id, '-o', '/nowhere/x.md'])
  expect(failed.code).toBe(1)
  expect(failed.stderr).toMatch(/^tandem: cannot write \/nowhere\/x\.md/)
})

test('[EXP6] who exports the log or the recording is told that private commands are in it', async () => {
  const told = 'tandem: private commands are in it too.\n'
  for (const [format, stderr] of [
    ['jsonl', told],
    ['cast', told],
    ['md', ''],
    ['html', ''],
    ['json', ''],
  ] as const) {
    const file = join(world.folder, `private.${format}`)
    const args = ['sessions', 'export', id, '--format', format, '-o', file]
    expect(await world.run(args)).toEqual({ code: 0, stdout: '', stderr })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  }
})

test('[CLI45] web prints an address that works once; rotate replaces the token and shows it to nobody', async () => {
  const { stdout } = await world.run(['web'])
  const address = new URL(stdout.trim())
  const secret = new URLSearchParams(address.hash.slice(1)).get('secret') ?? address.hash.slice(1)
  const trade = () =>
    fetch(new URL('/v1/exchange', address), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret, key: testKey().key, name: 'Test 1.0' }),
    })
  expect((await trade()).status).toBe(200)
  expect((await trade()).status).not.toBe(200)

  const file = join(world.home, 'token')
  const before = readFileSync(file, 'utf8')
  const rotated = await world.run(['token', 'rotate'])
  const after = readFileSync(file, 'utf8')
  expect(rotated.code).toBe(0)
  expect(after).not.toBe(before)
  expect(rotated.stdout + rotated.stderr).not.toContain(after.trim())
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect((await world.run(['sessions', 'ls'])).code).toBe(0)
})

test('[CLI45] stop ends the server and not the shell; the next command finds the shell again', async () => {
  await world.run(['run', '--session', id, '--', 'KEPT=yes'])
  expect(await world.run(['stop'])).toMatchObject({ code: 0, stdout: '' })
  expect(existsSync(join(world.home, 'server.json'))).toBe(false)
  expect((await world.run(['stop'])).stderr).toBe('No server is running.\n')
  expect((await world.run(['run', '--session', id, 'echo $KEPT'])).stdout).toBe('yes\n')
})

test('[CLI41] rm deletes a session; without a terminal it does not ask', async () => {
  expect(await world.run(['sessions', 'rm', id])).toEqual({ code: 0, stdout: '', stderr: '' })
  expect((await world.run(['sessions', 'ls', '--json'])).stdout).not.toContain(id)
  expect((await world.run(['sessions', 'show', id])).code).toBe(1)
})
