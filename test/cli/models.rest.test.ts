import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openaiChat } from '../models/openai-chat.ts'
import { apiKey } from '../models/openai-server.ts'
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
  expect(stdout).toContain(
    '– Gemini: Gemini needs a key: set GEMINI_API_KEY or GOOGLE_API_KEY. Or: tandem models add gemini',
  )
  const { stdout: json } = await world.run(['models', '--json'])
  const Answer = z.object({
    current: z.string(),
    providers: z.array(z.object({ provider: z.string() })),
  })
  expect(lastLine(Answer, json).providers.map(({ provider }) => provider)).toContain('anthropic')
})

test('[CLI63] models add takes a key from stdin, tries it and keeps it; test and rm do what they say', async () => {
  const server = await openaiChat.start()
  const mine = createWorld()
  try {
    const add = ['models', 'add', 'mine', '--url', server.baseUrl, '--model', 'gpt-4o']
    const wrong = await mine.run(add, { input: 'wrong\n' })
    expect(wrong).toMatchObject({ code: 5, stdout: expect.stringContaining('Is the key right?') })
    expect(existsSync(join(mine.home, 'credentials.json'))).toBe(false)
    const right = await mine.run(add, { input: `${apiKey}\n` })
    expect(right).toMatchObject({ code: 0, stdout: 'mine works: mine/gpt-4o answers.\n' })
    expect(statSync(join(mine.home, 'credentials.json')).mode & 0o777).toBe(0o600)
    server.hush()
    server.say('hello from there')
    expect(await mine.run(['-p', 'hello'])).toMatchObject({ stdout: 'hello from there\n' })
    expect(await mine.run(['models', 'test', 'mine'])).toMatchObject({ code: 0 })
    expect((await mine.run(['models'])).stdout).toContain('A new session talks to mine/gpt-4o.')
    expect(await mine.run(['models', 'rm', 'mine'])).toMatchObject({ code: 0 })
    expect(await mine.run(['models', 'rm', 'mine'])).toMatchObject({ code: 1 })
    const { stdout: id } = await mine.run(['sessions', 'ls', '--json'])
    expect(id).not.toContain(apiKey)
  } finally {
    await mine.end()
    await server.close()
  }
})

test('[CLI63] models add of a configured provider asks for no address; one too many is refused with what to do', async () => {
  const server = await openaiChat.start()
  const mine = createWorld()
  try {
    const config = join(mine.env.HOME, '.config', 'tandem')
    mkdirSync(config, { recursive: true })
    const work = { baseUrl: server.baseUrl, models: ['m'] }
    writeFileSync(join(config, 'config.json'), JSON.stringify({ providers: { work } }))
    mkdirSync(mine.home, { mode: 0o700 })
    const names = Array.from({ length: 99 }, (_, n) => [`p${n}`, { key: 'k' }] as const)
    const kept = JSON.stringify({ providers: Object.fromEntries(names) })
    writeFileSync(join(mine.home, 'credentials.json'), kept, { mode: 0o600 })
    const added = await mine.run(['models', 'add', 'work'], { input: `${apiKey}\n` })
    expect(added).toMatchObject({ code: 0, stdout: 'work works: work/m answers.\n' })
    const more = ['models', 'add', 'more', '--url', server.baseUrl, '--model', 'm']
    expect(await mine.run(more, { input: `${apiKey}\n` })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('At most 100 providers can be kept. Forget one'),
    })
  } finally {
    await mine.end()
    await server.close()
  }
})

test('[CLI63] cache tells of each request how much of it had been sent before', async () => {
  const { code, stdout } = await world.run(['cache'])
  expect(code).toBe(0)
  const [head, first, second] = stdout.split('\n')
  expect(head).toMatch(/request +bytes +sent before +tokens +cached +model/)
  expect(first).toMatch(/#\d+ +\d+ +0 \(0 %\) +– +– +demo\/offline/)
  const [, bytes = ''] = /^ *#\d+ +(\d+) /.exec(first ?? '') ?? []
  expect(second).toContain(` ${bytes} (`)
  expect(stdout).toContain('Every request extends the one before')
})

test('[CLI28] the answer of a command is printed, and so is the summary that a session goes on from', async () => {
  const cache = await world.run(['-p', '/cache', '--continue'])
  expect(cache).toMatchObject({ code: 0 })
  expect(cache.stdout).toContain('Every request extends the one before.')
  const compact = await world.run(['-p', '/compact', '--continue'])
  expect(compact.code).toBe(0)
  expect(compact.stdout.trim()).not.toBe('')
})

test('[CLI28] what a command of one’s own prints is the answer to -p, in the shared shell and beside it', async () => {
  const shared = await world.run(['-p', '!echo shared'])
  expect(shared).toMatchObject({ code: 0, stdout: 'shared\n' })
  const beside = await world.run(['-p', '/shell seq 2; echo oops >&2'])
  expect(beside).toMatchObject({ code: 0, stdout: '1\n2\noops\n' })
})

test('[CLI33] a command of one’s own that fails or is stopped ends -p with 1 or 124, and it is said why', async () => {
  expect(await world.run(['-p', '!false'])).toMatchObject({ code: 1 })
  expect(await world.run(['-p', '/shell exit 3'])).toMatchObject({ code: 1 })
  expect(await world.run(['-p', '/repo add no/such'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('cannot be a repo: there is no such folder.'),
  })
  expect(await world.run(['-p', '/shell --timeout 200ms sleep 60'])).toMatchObject({
    code: 124,
    stderr: expect.stringContaining('[its time was up]'),
  })
})

test('[CLI22] Ctrl+C takes back a command that runs beside the terminal, and exits 130', async () => {
  const started = world.start(['-p', '/shell sleep 60', '--output-format', 'stream-json'])
  started.process.stdin.end()
  await started.printed('"run_start"')
  started.process.kill('SIGINT')
  const { code, stdout } = await started.ended
  expect(code).toBe(130)
  expect(stdout).toMatch(/\[cancelled by the user; in [^\]]*; run by the user\]/)
})

test('[CLI57] a question about a file that a prompt mentions says so, and -p can answer it', async () => {
  writeFileSync(join(world.folder, '.env'), 'KEY=1\n')
  const asked = await world.run(['-p', 'see @.env'])
  expect(asked).toMatchObject({ code: 3, stdout: '' })
  expect(asked.stderr).toContain(`The model would read: ${join(world.folder, '.env')}`)
  expect(await world.run(['-p', 'well?', '--continue'])).toMatchObject({ code: 3 })
  const answered = await world.run(['-p', '/approve', '--continue'])
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('built-in demo') })
})
