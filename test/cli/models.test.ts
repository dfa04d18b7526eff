import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createWorld, lastLine } from './cli.ts'

const world = createWorld({ TANDEM_MODEL: 'demo/offline' })
beforeAll(async () => {
  await world.run(['-p', 'list the files'])
})
afterAll(world.end)

test('[CLI63] models tells what there is, and what to do for what is not', async () => {
  const { code, stdout } = await world.run(['models'])
  expect(code).toBe(0)
  expect(stdout).toContain('A new session talks to demo/offline.')
  expect(stdout).toMatch(/✓ The built-in demo\n +demo\/offline/)
  expect(stdout).toContain('– Gemini: Gemini needs a key: set GEMINI_API_KEY or GOOGLE_API_KEY.')
  const { stdout: json } = await world.run(['models', '--json'])
  const Answer = z.object({
    current: z.string(),
    providers: z.array(z.object({ provider: z.string() })),
  })
  expect(lastLine(Answer, json).providers.map(({ provider }) => provider)).toContain('anthropic')
})

test('[CLI64] cache tells of each request how much of it had been sent before', async () => {
  const { code, stdout } = await world.run(['cache'])
  expect(code).toBe(0)
  const [head, first, second] = stdout.split('\n')
  expect(head).toMatch(/request +bytes +sent before +tokens +cached +model/)
  expect(first).toMatch(/#\d+ +\d+ +0 \(0 %\) +– +– +demo\/offline/)
  const [, bytes = ''] = /^ *#\d+ +(\d+) /.exec(first ?? '') ?? []
  expect(second).toContain(` ${bytes} (`)
  expect(stdout).toContain('Every request extends the one before')
})

test('[CLI65] the answer of a command is printed, and so is the summary that a session goes on from', async () => {
  const cache = await world.run(['-p', '/cache', '--continue'])
  expect(cache).toMatchObject({ code: 0 })
  expect(cache.stdout).toContain('Every request extends the one before.')
  const compact = await world.run(['-p', '/compact', '--continue'])
  expect(compact.code).toBe(0)
  expect(compact.stdout.trim()).not.toBe('')
})

test('[CLI66] what a command of one’s own prints is the answer to -p, in the shared shell and beside it', async () => {
  const shared = await world.run(['-p', '!echo shared'])
  expect(shared).toMatchObject({ code: 0, stdout: 'shared\n' })
  const beside = await world.run(['-p', '/shell seq 2; echo oops >&2'])
  expect(beside).toMatchObject({ code: 0, stdout: '1\n2\noops\n' })
})
