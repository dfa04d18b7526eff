import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { partByPart, startServer, type TestServer } from '../support/server.ts'

let model: ScriptedModel
let server: TestServer

beforeAll(async () => {
  model = await startScriptedModel()
  server = await startServer({ env: { TANDEM_BASE_URL: model.baseUrl }, config: partByPart })
  execFileSync('git', ['init', '-q', '-b', 'main', server.workspace])
  await mkdir(join(server.workspace, 'sub'))
})

afterAll(async () => {
  await server.close()
  await model.close()
})

test('[TERM9] a command that is only a comment is no event', async () => {
  const session = await server.session()
  await session.send('!# a note')
  await session.send('!true')
  await session.until('tool_response')
  expect(session.events.filter((event) => event.type === 'tool_request')).toHaveLength(1)
})

test('[RUN2] !git status runs at once, is answered in place, and reaches the next request', async () => {
  const session = await server.session()
  await session.send('!git status')
  const response = await session.until('tool_response')
  const types = session.events.map((event) => event.type)
  expect(types).toEqual([
    'session_start',
    'tool_request',
    'shell_start',
    'run_start',
    'run_end',
    'tool_response',
  ])
  const end = await session.until('run_end')
  expect(end).toMatchObject({ outcome: 'ended', exitCode: 0, cwdAfter: server.workspace })
  expect(response).toMatchObject({
    status: 'done',
    meta: { isClientInitiated: true },
    content: expect.stringMatching(
      /^\$ git status\nOn branch main\n[\s\S]*\n\[exit 0; run by the user\]$/,
    ),
  })
  expect(session.deltas).toContainEqual({
    type: 'tool_update',
    request: 2,
    output: { offset: 0, text: expect.stringContaining('On branch main') },
  })

  model.say('You are on main.')
  await session.send('which branch?')
  await session.until('agent_end')
  const step = await session.until('step_start')
  expect(step.takes).toContain(response.seq)
  const { messages } = await model.request(1)
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'user', 'user'])
  expect(messages.map(({ content }) => content)).toEqual([
    expect.stringContaining('persistent shell'),
    response.content,
    expect.stringContaining(`folder: ${server.workspace}`),
    'which branch?',
  ])
})

test('[RUN2] a second ! in a live shell is one append: the call and its run', async () => {
  const session = await server.session()
  await session.run('true')
  const before = session.events.length
  const { first, head } = await session.send('!true')
  await session.until('tool_response', 2)
  expect({ first, head }).toEqual({ first: before + 1, head: before + 2 })
  expect(session.events.slice(before).map((event) => event.type)).toEqual([
    'tool_request',
    'run_start',
    'run_end',
    'tool_response',
  ])
})

test('[RUN4] folder, variables, functions and jobs of the shell stay from one command to the next', async () => {
  const session = await server.session()
  await session.run('cd sub')
  await session.run('export X=1; Y=two; greet() { echo "hello $1"; }')
  const said = await session.run('echo $X $Y; greet you; pwd')
  const sub = join(server.workspace, 'sub')
  expect(said.content).toBe(
    `$ echo $X $Y; greet you; pwd\n1 two\nhello you\n${sub}\n[exit 0; run by the user]`,
  )
  const [, moved] = session.all('run_end')
  expect(moved?.cwdAfter).toBe(sub)
  expect((await session.view()).shell?.cwd).toBe(sub)
})

test('[RUN4] pipes, many lines and exit codes come back exactly', async () => {
  const session = await server.session()
  const piped = await session.run('printf "b\\na\\n" | sort')
  expect(piped.content).toBe('$ printf "b\\na\\n" | sort\na\nb\n[exit 0; run by the user]')
  const command = 'for i in 1 2 3; do\n  echo "line $i"\ndone\ncat <<END\nhere\nEND\nfalse'
  const many = await session.run(command)
  expect(many.content).toBe(`$ ${command}\nline 1\nline 2\nline 3\nhere\n[exit 1; run by the user]`)
  expect(many.status).toBe('error')
  await session.run('(exit 42)')
  expect(session.all('run_end').map((end) => end.exitCode)).toEqual([0, 1, 42])
})

test('[RUN1] commands wait for the terminal in order, and one that waits can be withdrawn', async () => {
  const session = await server.session()
  await session.run('true')
  await session.send('!read line; echo "got $line"')
  await session.until('run_start', 2)
  const second = await session.send('!echo second')
  const third = await session.send('!echo third')
  await server.client.call(routes.queue, {
    params: { id: session.id },
    body: { seq: second.first! },
  })
  await session.interrupt()
  await session.until('tool_response', 4)
  const answers = session.all('tool_response')
  expect(answers.find((event) => event.request === second.first)).toMatchObject({
    status: 'cancelled',
  })
  expect(answers.find((event) => event.request === third.first)).toMatchObject({
    status: 'done',
    content: '$ echo third\nthird\n[exit 0; run by the user]',
  })
  expect(session.all('run_start').map((run) => run.command)).not.toContain('echo second')
})

test('[RUN7] a private run is shown to people and never to the model', async () => {
  const session = await server.session()
  await session.send('!!echo canary-7f3a')
  await session.until('tool_response')
  expect(session.deltas).toContainEqual({
    type: 'tool_update',
    request: 2,
    output: { offset: 0, text: expect.stringContaining('canary-7f3a') },
  })
  const asked = model.requests.length
  model.say('hello')
  await session.send('hello')
  await session.until('agent_end')
  const { body } = await model.request(asked + 1)
  expect(body).not.toContain('canary-7f3a')
})

test('[RUN7] !? runs a command and then a turn about it', async () => {
  const session = await server.session()
  const asked = model.requests.length
  model.say('It printed 12.')
  await session.send('!?echo 12')
  await session.until('agent_end')
  const start = await session.until('agent_start')
  const response = await session.until('tool_response')
  expect(start.trigger).toBe(response.seq)
  const { messages } = await model.request(asked + 1)
  expect(messages.map(({ content }) => content)).toContain(response.content)
})

test('[RUN9] the whole output of a long run is kept and can be paged, though the model sees 2,000 characters', async () => {
  const session = await server.session()
  const response = await session.run('seq 1 100000')
  expect(response.content.length).toBeLessThanOrEqual(2_000)
  expect(response.content).toMatch(/^\$ seq 1 100000\n1\n2\n/)
  const cut = /\[… (\d+) characters left out …\]/.exec(response.content)
  const all = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('')
  const kept =
    response.content.length -
    cut![0].length -
    2 -
    '$ seq 1 100000\n\n[exit 0; run by the user]'.length
  // The last line end, which stood before the status line, is not shown either.
  expect(Number(cut![1]) + kept + 1).toBe(all.length)

  const [start] = session.all('run_start')
  const pages: string[] = []
  for (let from = 0; ;) {
    const page = await server.client.call(routes.runOutput, {
      params: { id: session.id, run: start!.run },
      query: { from, limit: 65_537 },
    })
    pages.push(page.text)
    from = page.to
    if (from === page.total) break
  }
  expect(pages.join('').replaceAll('\r', '')).toBe(all)
})

test('[RUN1] a repeated key runs nothing a second time', async () => {
  const session = await server.session()
  const body = { text: '!echo once', as: 'auto' as const, key: 'the-same-key' }
  const params = { id: session.id }
  const one = await server.client.call(routes.send, { params, body })
  await session.until('tool_response')
  const two = await server.client.call(routes.send, { params, body })
  expect(two).toEqual(one)
  expect(session.all('tool_request').length).toBe(1)
  await server.restart()
  const three = await server.client.call(routes.send, { params, body })
  expect(three).toEqual(one)
})

test.each([
  ['another text', { text: '!echo two' }],
  ['another way', { text: '!echo one', as: 'text' as const }],
  ['another patience', { text: '!echo one', timeoutMs: 5_000 }],
])(
  '[STORE4] a key with another body is refused with 409, and nothing is done: %s',
  async (_, other) => {
    const session = await server.session()
    const params = { id: session.id }
    const body = { text: '!echo one', key: 'used' }
    const one = await server.client.call(routes.send, { params, body })
    await session.until('tool_response')
    const { head } = await session.view()
    const response = await fetch(`${server.url}/v1/sessions/${session.id}/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...other, key: 'used' }),
    })
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ error: { code: 'key_reused' } })
    expect((await session.view()).head).toBe(head)
    // The key is still that of the first, in whatever order its fields come.
    const again = { key: 'used', as: 'auto' as const, text: '!echo one' }
    expect(await server.client.call(routes.send, { params, body: again })).toEqual(one)
  },
)

test('[RUN13] the terminal of a session can be played again as an asciicast, in order and time', async () => {
  const session = await server.session()
  await session.run('echo first')
  await session.run('printf "\\033[32mgreen\\033[0m\\n"')
  const text = await server.client.document(routes.export, {
    params: { id: session.id },
    query: { format: 'cast' },
  })
  const [header, ...events] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(header).toMatchObject({ version: 2, width: 120, height: 40, env: { SHELL: 'bash' } })
  const times = events.map(([time]) => time)
  expect(times).toEqual(times.toSorted((a: number, b: number) => a - b))
  const played = events.map(([, , data]) => data).join('')
  expect(played).toMatch(/first\r\n[\s\S]*\u001b\[32mgreen/)
  // Our own marks are nobody's business.
  expect(played).not.toContain('7133')
})
