import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Event } from '../../src/protocol/events/event.ts'
import {
  startScriptedModel,
  type ScriptedModel,
  type ScriptedReply,
} from '../support/scripted-model.ts'
import { z } from 'zod'
import { createWorld, lastLine, type World } from './cli.ts'

let model: ScriptedModel
let world: World
beforeAll(async () => {
  model = await startScriptedModel()
  world = createWorld({ TANDEM_BASE_URL: model.baseUrl })
  writeFileSync(join(world.folder, 'one.txt'), 'x')
})
afterAll(async () => {
  await world.end()
  await model.close()
})

const Result = z.looseObject({
  type: z.literal('result'),
  session: z.string(),
  ask: z.looseObject({ id: z.string() }).nullable(),
})

/** A reply that begins and never ends. */
const hanging: ScriptedReply = { pieces: ['thinking'], ending: new Promise(() => {}) }

test('[CLI28] stdout has the last reply alone; what happened on the way is on stderr', async () => {
  model.say('Let me look.\n<shell>ls</shell>', 'There is one.txt.')
  const { code, stdout, stderr } = await world.run(['-p', 'what is here?'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'There is one.txt.\n' })
  expect(stderr).toMatch(/^\$ ls\n {2}\[exit 0, \d+\.\ds\]\n$/)
})

test('[CLI28] what is piped in follows the prompt', async () => {
  model.say('ok')
  await world.run(['-p', 'review this'], { input: 'a diff\n' })
  expect(model.requests.at(-1)?.body).toContain('review this\\n\\na diff\\n')
})

test('[CLI4] a pipe gets no control sequence of the model’s or of a command’s, unless it is asked for', async () => {
  const evil = '\x1b]52;c;eA==\x07\x1b[2Ja\x9b31m\u202eb\rc\r\n👩‍💻\td'
  const safe = String.raw`\x1b]52;c;eA==\x07\x1b[2Ja\x9b31m\u202eb\x0dc` + '\n👩‍💻\td\n'
  model.say(evil, evil, evil)
  expect((await world.run(['-p', 'go'])).stdout).toBe(safe)
  expect((await world.run(['-p', 'go', '--raw'])).stdout).toBe(`${evil}\n`)
  const json = (await world.run(['-p', 'go', '--raw', '--output-format', 'json'])).stdout
  expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  expect(JSON.parse(json)).toMatchObject({ text: evil })
  const print = String.raw`!printf '\033[31mred\033[0m \007\b.\n'`
  expect((await world.run(['-p', print])).stdout).toBe(String.raw`red \x07\x08.` + '\n')
  expect((await world.run(['-p', print, '--raw'])).stdout).toContain('\x1b[31mred\x1b[0m \x07\b.')
})

test('[CLI30] json is one object with text, thoughts, steps, usage and runs', async () => {
  model.say({ thoughts: ['Let me ', 'see.'], pieces: ['<shell>ls nope</shell>'] }, 'It failed.')
  const { code, stdout } = await world.run(['-p', 'go', '--output-format', 'json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    type: 'result',
    session: expect.any(String),
    reason: 'done',
    text: 'It failed.',
    thoughts: [{ text: 'Let me see.', ms: expect.any(Number) }],
    steps: 2,
    usage: { input: 200, output: 14, cacheRead: 128, cacheWrite: 0 },
    // Nobody has named a price.
    usd: null,
    meter: { context: 107, size: null, spent: [{ replies: 2, usd: null, unpriced: 2 }] },
    runs: [{ command: 'ls nope', exitCode: 2 }],
    error: null,
  })
})

test('[CLI30] stream-json is the log itself, from its first event to the end of the turn', async () => {
  model.say('Hello.')
  const { code, stdout } = await world.run(['-p', 'hi', '--output-format', 'stream-json'])
  expect(code).toBe(0)
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => Event.parse(JSON.parse(line)))
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(events.at(0)).toMatchObject({ type: 'session_start', workspace: world.folder })
  expect(events.at(-1)).toMatchObject({ type: 'agent_end', reason: 'done' })
})

test('[CLI28] --continue goes on in the newest session of the folder', async () => {
  model.say('First.', 'Second.')
  const first = await world.run(['-p', 'a', '--output-format', 'json'])
  const next = await world.run(['-p', 'b', '--continue', '--output-format', 'json'])
  const [one, two] = [first, next].map(({ stdout }) => lastLine(Result, stdout))
  expect(two?.session).toBe(one?.session)
  expect(model.requests.at(-1)?.messages.some(({ content }) => content === 'First.')).toBe(true)
})

test('[CLI33] a question nobody is there to answer ends with exit 3, stays open and can be answered', async () => {
  model.say('<shell>rm -rf dist</shell>')
  const asked = await world.run(['-p', 'clean up', '--output-format', 'stream-json'])
  expect(asked.code).toBe(3)
  const last = lastLine(Result, asked.stdout)
  expect(last).toMatchObject({
    type: 'result',
    reason: 'approval_needed',
    ask: { command: 'rm -rf dist', grade: 'destroys', offer: null },
  })
  expect(asked.stderr).toContain('rm -rf dist\n  effect: Hard to undo\n')
  expect(asked.stderr).toContain(`tandem sessions show ${last.session}`)
  expect(asked.stderr).toContain(last.ask?.id ?? 'none')

  const again = await world.run(['-p', 'well?', '--session', last.session])
  expect(again).toMatchObject({ code: 3, stdout: '' })

  const answered = await world.run(['answer', last.ask?.id ?? 'none', 'deny'])
  expect(answered).toEqual({ code: 0, stdout: '', stderr: 'Denied: rm -rf dist\n' })
  const late = await world.run(['answer', last.ask?.id ?? 'none', 'allow'])
  expect(late.code).toBe(1)
  expect(late.stderr).toContain('answered already')
})

test('[CLI33] a yes from the command line can count for the rest of the reply', async () => {
  model.say('<shell>mv a b</shell>\n<shell>mv c d</shell>', 'Moved.')
  const before = model.requests.length
  const asked = await world.run(['-p', 'move them', '--output-format', 'json'])
  const { ask } = lastLine(Result, asked.stdout)
  const args = ['answer', ask?.id ?? 'none', 'allow', '--scope', 'reply', '--json']
  const { code, stdout } = await world.run(args)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ ask: ask?.id, outcome: 'allow', scope: 'reply' })
  await model.request(before + 1)
})

test('[APP60] a yes that did not count is not told as one: the shell has changed, so it is asked again', async () => {
  model.say('<shell>rm -rf dist</shell>')
  const asked = await world.run(['-p', 'clean up', '--output-format', 'stream-json'])
  const { ask, session } = lastLine(Result, asked.stdout)
  await world.run(['run', '--session', session, 'cd ..'])
  const answered = await world.run(['answer', ask?.id ?? 'none', 'allow'])
  expect(answered).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('the shell has changed since it was judged'),
  })
  const denied = await world.run(['answer', session, 'deny'])
  expect(denied).toMatchObject({ code: 0, stderr: 'Denied: rm -rf dist\n' })
})

test('[CLI33] time that is up ends the turn and exits 124', async () => {
  model.say(hanging)
  const { code, stdout } = await world.run([
    '-p',
    'x',
    '--timeout',
    '500ms',
    '--output-format',
    'json',
  ])
  expect(code).toBe(124)
  expect(JSON.parse(stdout)).toMatchObject({ type: 'result', reason: 'timeout' })
})

test('[CLI22] Ctrl+C ends the turn and exits 130', async () => {
  const asked = model.requests.length + 1
  model.say(hanging)
  const started = world.start(['-p', 'x', '--output-format', 'stream-json'])
  started.process.stdin.end()
  await model.request(asked)
  started.process.kill('SIGINT')
  const { code, stdout } = await started.ended
  expect(code).toBe(130)
  expect(lastLine(Result, stdout)).toMatchObject({
    type: 'result',
    reason: 'interrupted',
  })
})

test('[CLI17] a key the model refuses exits 5, another failure 1; the last line is a result', async () => {
  for (const [status, code] of [
    [401, 5],
    [400, 1],
  ] as const) {
    model.say({ pieces: [], status })
    const ended = await world.run(['-p', 'x', '--output-format', 'json'])
    expect(ended.code).toBe(code)
    expect(JSON.parse(ended.stdout)).toMatchObject({ type: 'result', reason: 'failed' })
  }
})

test('[CLI33] a turn that reaches its step limit exits 4', async () => {
  model.say(...Array.from({ length: 10 }, () => '<shell>true</shell>'))
  const ended = await world.run(['-p', 'loop', '--output-format', 'json'])
  expect(ended.code).toBe(4)
  expect(JSON.parse(ended.stdout)).toMatchObject({ reason: 'step_limit', steps: 10 })
})

test('[CLI28] a command given as a prompt runs without the model', async () => {
  const before = model.requests.length
  const { code, stderr } = await world.run(['-p', '!echo hello'])
  expect(code).toBe(0)
  expect(stderr).toContain('$ echo hello')
  expect(model.requests.length).toBe(before)
})

test('[CLI28] a command’s repo is told, and its folder where that is another than ours', async () => {
  const beside = await world.run(['-p', '/shell --cwd / pwd', '--output-format', 'text'])
  expect(beside.stderr).toMatch(/^\$ pwd {2}in \/\n/)
  await world.run(['-p', `/repo add ${world.folder} mine`])
  const own = await world.run(['-p', '/shell pwd'])
  expect(own.stderr).toMatch(/^\$ pwd \(repo: mine\)\n/)
  const { session } = lastLine(
    Result,
    (await world.run(['-p', '!cd /; true', '--output-format', 'json'])).stdout,
  )
  const shown = await world.run(['sessions', 'show', session])
  expect(shown.stdout).toMatch(new RegExp(`\\$ cd /; true {2}.* {2}in ${world.folder}\n`))
})

test('[CLI17] a model that the server does not have exits 5 and says what to do', async () => {
  const ended = await world.run(['-p', 'x', '--model', 'nobody/nothing', '--output-format', 'json'])
  expect(ended.code).toBe(5)
  expect(ended.stderr).toContain('There are: ')
  expect(JSON.parse(ended.stdout)).toMatchObject({ type: 'result', reason: 'error' })
})
