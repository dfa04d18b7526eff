import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Event } from '../../src/protocol/event.ts'
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

test('[CLI29] what is piped in follows the prompt', async () => {
  model.say('ok')
  await world.run(['-p', 'review this'], { input: 'a diff\n' })
  expect(model.requests.at(-1)?.body).toContain('review this\\n\\na diff\\n')
})

test('[CLI30] json is one object with text, steps, usage and runs', async () => {
  model.say('<shell>ls nope</shell>', 'It failed.')
  const { code, stdout } = await world.run(['-p', 'go', '--output-format', 'json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    type: 'result',
    session: expect.any(String),
    reason: 'done',
    text: 'It failed.',
    steps: 2,
    runs: [{ command: 'ls nope', exitCode: 2 }],
    error: null,
  })
})

test('[CLI31] stream-json is the log itself, from its first event to the end of the turn', async () => {
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

test('[CLI32] --continue goes on in the newest session of the folder', async () => {
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
    ask: { command: 'rm -rf dist' },
  })
  expect(asked.stderr).toContain('rm -rf dist')
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

test('[APP68] a yes that did not count is not told as one: the shell has changed, so it is asked again', async () => {
  model.say('<shell>rm -rf dist</shell>')
  const asked = await world.run(['-p', 'clean up', '--output-format', 'stream-json'])
  const { ask, session } = lastLine(Result, asked.stdout)
  await world.run(['run', '--session', session, 'true'])
  const answered = await world.run(['answer', ask?.id ?? 'none', 'allow'])
  expect(answered).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('the shell has changed since it was judged'),
  })
  const denied = await world.run(['answer', session, 'deny'])
  expect(denied).toMatchObject({ code: 0, stderr: 'Denied: rm -rf dist\n' })
})

test('[CLI34] time that is up ends the turn and exits 124', async () => {
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

test('[CLI35] Ctrl+C ends the turn and exits 130', async () => {
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

test('[CLI36] a key the model refuses exits 5, another failure 1; the last line is a result', async () => {
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

test('[CLI37] a turn that reaches its step limit exits 4', async () => {
  model.say(...Array.from({ length: 10 }, () => '<shell>true</shell>'))
  const ended = await world.run(['-p', 'loop', '--output-format', 'json'])
  expect(ended.code).toBe(4)
  expect(JSON.parse(ended.stdout)).toMatchObject({ reason: 'step_limit', steps: 10 })
})

test('[CLI38] a command given as a prompt runs without the model', async () => {
  const before = model.requests.length
  const { code, stderr } = await world.run(['-p', '!echo hello'])
  expect(code).toBe(0)
  expect(stderr).toContain('$ echo hello')
  expect(model.requests.length).toBe(before)
})

test('[CLI39] a model that the server does not have exits 5 and says what to do', async () => {
  const ended = await world.run(['-p', 'x', '--model', 'nobody/nothing', '--output-format', 'json'])
  expect(ended.code).toBe(5)
  expect(ended.stderr).toContain('There are: ')
  expect(JSON.parse(ended.stdout)).toMatchObject({ type: 'result', reason: 'error' })
})
