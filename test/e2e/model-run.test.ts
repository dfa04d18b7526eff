import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { expectExtends } from '../support/prefix.ts'
import type { TestSession } from '../support/session.ts'
import { partByPart } from '../support/server.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ config: partByPart })
let session: TestSession
/** Requests before this test. */
let asked: number

beforeEach(async () => {
  world.model.hush()
  session = await world.server.session()
  asked = world.model.requests.length
})

test('[APP1] rm -rf waits for a yes, then runs in the shared shell, and its record is the next request', async () => {
  await mkdir(join(world.server.workspace, 'dist'))
  const reply = 'I will clean up.\n\n<shell>rm -rf dist</shell>\n'
  world.model.say(reply, 'Done.')
  await session.send('clean up')
  const ask = await session.until('elicitation_request')
  expect(ask).toMatchObject({
    kind: 'approval',
    command: 'rm -rf dist',
    reasons: ['deletes the folder dist'],
    grade: 'destroys',
    cwd: world.server.workspace,
  })
  expect(existsSync(join(world.server.workspace, 'dist'))).toBe(true)
  expect((await session.view()).status).toBe('asking')
  await session.answer('allow')
  const end = await session.until('agent_end')
  expect(end).toMatchObject({ reason: 'done', steps: 2 })
  expect(existsSync(join(world.server.workspace, 'dist'))).toBe(false)
  expect(session.events.map((event) => event.type)).toEqual([
    'session_start',
    'epoch_start',
    'message',
    'message',
    'agent_start',
    'step_start',
    'message',
    'tool_request',
    'shell_start',
    'elicitation_request',
    'elicitation_response',
    'run_start',
    'run_end',
    'tool_response',
    'step_end',
    'step_start',
    'message',
    'step_end',
    'agent_end',
  ])
  const [one, two] = [await world.model.request(asked + 1), await world.model.request(asked + 2)]
  expect(two.messages).toEqual([
    ...one.messages,
    { role: 'assistant', content: reply },
    { role: 'user', content: '$ rm -rf dist\n[exit 0]' },
  ])
  expectExtends(two, one)
})

test('[MODEL5] usage and cached tokens of each request are on its step, and the turn sums them', async () => {
  world.model.say('<shell>pwd</shell>', 'There.')
  await session.send('where?')
  const end = await session.until('agent_end')
  expect(
    session.all('step_end').map(({ usage, hasMoreCommands }) => ({ usage, hasMoreCommands })),
  ).toEqual([
    { usage: { input: 100, output: 7, cacheRead: 64, cacheWrite: 0 }, hasMoreCommands: true },
    { usage: { input: 100, output: 7, cacheRead: 64, cacheWrite: 0 }, hasMoreCommands: false },
  ])
  expect(end.usage).toEqual({ input: 200, output: 14, cacheRead: 128, cacheWrite: 0 })
  const [first, second] = session.all('step_start')
  expect(session.all('step_end')[1]?.witness).toEqual({
    prefixBytes: first!.request.bytes,
    ok: true,
  })
  expect(second!.request.bytes).toBeGreaterThan(first!.request.bytes)
})

test('[APP3] a no without a word ends the turn, and what was denied never reaches the shell', async () => {
  world.model.say('<shell>echo > a</shell><shell>echo > b</shell>')
  await session.send('go')
  await session.answer('deny')
  expect(await session.until('agent_end')).toMatchObject({ reason: 'declined' })
  expect(session.all('tool_response').map(({ status }) => status)).toEqual(['denied', 'skipped'])
  expect(session.all('run_start')).toEqual([])
  expect(existsSync(join(world.server.workspace, 'a'))).toBe(false)
})

test('[APP3] a no with a word goes on, and the model reads the word', async () => {
  world.model.say('<shell>echo > a</shell>', 'Then not.')
  await session.send('go')
  await session.answer('deny', { word: 'use the trash instead' })
  expect(await session.until('agent_end')).toMatchObject({ reason: 'done' })
  const { messages } = await world.model.request(asked + 2)
  expect(messages.at(-1)?.content).toBe(
    '$ echo > a\nuse the trash instead\n[denied by the user, who says the above]',
  )
})

test('[APP5] an edited command is what runs and what the model reads', async () => {
  world.model.say('<shell>eval echo original</shell>', 'Fine.')
  await session.send('go')
  await session.answer('allow', { command: 'echo edited' })
  await session.until('agent_end')
  expect(session.all('run_start').map(({ command }) => command)).toEqual(['echo edited'])
  expect((await world.model.request(asked + 2)).messages.at(-1)?.content).toBe(
    '$ echo edited\nedited\n[exit 0; the user changed the command, you asked for: eval echo original]',
  )
})

test('[APP6] two clients answer at once: one wins, the other is told who did', async () => {
  world.model.say('<shell>echo > raced</shell>', 'Ok.')
  await session.send('go')
  const ask = await session.until('elicitation_request')
  const params = { id: session.id }
  const answers = await Promise.allSettled(
    (['allow', 'deny', 'allow', 'deny'] as const).map((outcome) =>
      world.server.client.call(routes.answer, { params, body: { ask: ask.ask, outcome } }),
    ),
  )
  const won = answers.filter(({ status }) => status === 'fulfilled')
  const lost = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(won.length).toBe(1)
  for (const error of lost)
    expect(error).toMatchObject({
      fault: { kind: 'refused', status: 409, refusal: { code: 'already_answered' } },
    })
  await session.until('agent_end')
  expect(session.all('elicitation_response').length).toBe(1)
})

test('[APP60] a yes to a shell that has moved on since is asked anew', async () => {
  world.model.say('<shell>echo > here</shell>', 'Ok.')
  await session.send('go')
  const ask = await session.until('elicitation_request')
  await session.run('cd /')
  const params = { id: session.id }
  await world.server.client.call(routes.answer, {
    params,
    body: { ask: ask.ask, outcome: 'allow' },
  })
  const again = await session.until('elicitation_request', 2)
  expect(again).toMatchObject({
    cwd: '/',
    reasons: [expect.stringContaining('outside the workspace')],
  })
  expect(session.all('elicitation_response')[0]).toMatchObject({ outcome: 'void' })
  expect(existsSync(join(world.server.workspace, 'here'))).toBe(false)
  await session.answer('deny')
  await session.until('agent_end')
})

test('[LOOP1] after ten steps the turn ends with step_limit, and a prompt goes on from there', async () => {
  world.model.say(...Array.from({ length: 10 }, () => '<shell>pwd</shell>'), 'Enough.')
  await session.send('never stop')
  expect(await session.until('agent_end')).toMatchObject({ reason: 'step_limit', steps: 10 })
  expect(world.model.requests.length - asked).toBe(10)
  await session.send('continue')
  expect(await session.until('agent_end', 2)).toMatchObject({ reason: 'done' })
  const [ten, eleven] = [
    await world.model.request(asked + 10),
    await world.model.request(asked + 11),
  ]
  expectExtends(eleven, ten)
  expect(eleven.messages.slice(-2).map(({ content }) => content)).toEqual([
    expect.stringMatching(/^\$ pwd\n/),
    'continue',
  ])
})

test('[LOOP2] what is said while a turn runs is queued and delivered at the next step', async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  world.model.say({ pieces: ['<shell>pwd</shell>'], ending: held }, 'Both done.')
  await session.send('first')
  await session.untilDelta((delta) => delta.type === 'message_delta')
  const queued = await session.send('and this')
  const withdrawn = await session.send('not this')
  const params = { id: session.id }
  await world.server.client.call(routes.queue, { params, body: { seq: withdrawn.first! } })
  const { open } = await session.view()
  expect(open.queue.map(({ text }) => text)).toEqual(['and this'])
  release()
  await session.until('agent_end')
  const [, second] = session.all('step_start')
  expect(second?.takes).toContain(queued.first)
  const { messages } = await world.model.request(asked + 2)
  expect(messages.slice(-2).map(({ content }) => content)).toEqual([
    expect.stringMatching(/^\$ pwd\n/),
    'and this',
  ])
})

test('[LOOP3] an abort while the model writes keeps its text, runs nothing of it, and the next request extends', async () => {
  const never = new Promise<void>(() => undefined)
  world.model.say({ pieces: ['Let me ', '<shell>touch never</shell>'], ending: never }, 'Again.')
  await session.send('go')
  await session.untilDelta(
    (delta) => delta.type === 'message_delta' && delta.text.includes('never'),
  )
  await session.abort()
  await session.until('step_end')
  expect(session.all('agent_end')).toMatchObject([{ reason: 'aborted' }])
  const reply = session.events.find(
    (event) => event.type === 'message' && event.role === 'assistant',
  )
  expect(reply).toMatchObject({
    stop: 'aborted',
    parts: [{ type: 'text', text: 'Let me <shell>touch never</shell>' }],
  })
  expect(session.all('tool_request')).toEqual([])
  await session.send('once more')
  await session.until('agent_end', 2)
  const [one, two] = [await world.model.request(asked + 1), await world.model.request(asked + 2)]
  expectExtends(two, one)
  expect(two.messages.slice(-2)).toEqual([
    { role: 'assistant', content: 'Let me <shell>touch never</shell>' },
    { role: 'user', content: 'once more' },
  ])
})

test('[LOOP3] an abort while a command runs stops it and keeps what it printed', async () => {
  world.model.say('<shell>echo begun; sleep 1000</shell><shell>pwd</shell>', 'Again.')
  await session.send('go')
  await session.answer('allow')
  await session.untilDelta(
    (delta) => delta.type === 'tool_update' && !!delta.output?.text.includes('begun'),
  )
  await session.abort()
  await session.until('step_end')
  expect(session.all('agent_end')).toMatchObject([{ reason: 'aborted' }])
  const [skipped, cancelled] = session.all('tool_response')
  expect([skipped?.status, cancelled?.status]).toEqual(['cancelled', 'cancelled'])
  expect(cancelled?.content).toMatch(
    /^\$ echo begun; sleep 1000\nbegun\n(\^C\n?)?[\s\S]*\[cancelled by the user, exit 130\]$/,
  )
  await session.send('once more')
  await session.until('agent_end', 2)
  const [one, two] = [await world.model.request(asked + 1), await world.model.request(asked + 2)]
  expectExtends(two, one)
  expect(two.messages.map(({ content }) => content)).toContain(cancelled?.content)
})

test('[LOOP5] a command over its time is answered as timeout with its output, and the turn goes on', async () => {
  world.model.say('<shell timeout="1">echo begun; sleep 1000</shell>', 'It took too long.')
  await session.send('go')
  await session.answer('allow')
  await session.until('agent_end')
  const response = await session.until('tool_response')
  expect(response.status).toBe('timeout')
  expect(response.content).toMatch(/begun\n[\s\S]*\[timed out after 1 s and is being stopped\]$/)
  expect(await session.until('run_end')).toMatchObject({ outcome: 'ended' })
})

test('[RUN11] a model’s command is answered as busy when a person’s program keeps the terminal, and nothing is typed into it', async () => {
  await session.send('!read -r line; echo "read: $line"')
  await session.until('run_start')
  world.model.say('<shell>pwd</shell>', 'I will wait.')
  await session.send('go')
  expect(await session.until('agent_end')).toMatchObject({ reason: 'done' })
  const { messages } = await world.model.request(asked + 2)
  expect(messages.at(-1)?.content).toBe(
    '$ pwd\n[not run: the user’s command is still running in the terminal: read -r line; echo "read: $line"]',
  )
  await session.interrupt()
  await session.until('run_end')
  expect(session.all('run_start').length).toBe(1)
})

test('[RUN12] how a run ended that outlived its answer is told to the model with the next request', async () => {
  world.model.say('<shell timeout="1">echo begun; sleep 1000</shell>', 'Too long.', 'I see.')
  await session.send('go')
  await session.answer('allow')
  await session.until('run_end')
  await session.until('agent_end')
  await session.send('and now?')
  await session.until('agent_end', 2)
  const last = world.model.requests.at(-1)!
  expect(last.messages.map(({ content }) => content)).toContainEqual(
    expect.stringMatching(
      /^\$ echo begun; sleep 1000\nbegun\n[\s\S]*\[it has ended since: exit 130\]$/,
    ),
  )
})

test('[LOOP6] a reply that breaks off keeps its text, runs nothing, and says so', async () => {
  world.model.say({ pieces: ['So <shell>touch cut</shell> and'], ending: 'cut' })
  await session.send('go')
  expect(await session.until('agent_end')).toMatchObject({ reason: 'failed' })
  expect(await session.until('error')).toMatchObject({ code: 'model_cut' })
  expect(session.all('tool_request')).toEqual([])
  const reply = session.events.find(
    (event) => event.type === 'message' && event.role === 'assistant',
  )
  expect(reply).toMatchObject({
    stop: 'failed',
    parts: [{ text: 'So <shell>touch cut</shell> and' }],
  })
})

test('[LOOP7] tags in code are not run; unclosed and empty ones are told to the model', async () => {
  world.model.say('Like `<shell>rm x</shell>` or\n```\n<shell>rm y</shell>\n```\n')
  await session.send('explain')
  expect(await session.until('agent_end')).toMatchObject({ reason: 'done', steps: 1 })
  expect(session.all('tool_request')).toEqual([])

  world.model.say('<shell> </shell> <shell>touch open', 'Sorry.')
  await session.send('again')
  await session.until('agent_end', 2)
  expect(
    (await world.model.request(asked + 3)).messages.slice(-2).map(({ content }) => content),
  ).toEqual([
    expect.stringContaining('[not run: the command is empty]'),
    expect.stringContaining('[not run: the <shell> tag is never closed]'),
  ])
})

test('[LOOP6] a blank reply is stored and not replayed', async () => {
  world.model.say('  \n', 'Now.')
  await session.send('go')
  await session.until('agent_end')
  await session.send('and?')
  await session.until('agent_end', 2)
  const { messages } = await world.model.request(asked + 2)
  expect(messages.map(({ role }) => role)).not.toContain('assistant')
})

test('[MODEL6] a refused key is one clear error', async () => {
  world.model.say({ pieces: [], status: 401 })
  await session.send('go')
  expect(await session.until('agent_end')).toMatchObject({ reason: 'failed' })
  expect(await session.until('error')).toMatchObject({
    code: 'model_auth',
    message: expect.stringContaining('401'),
  })
})

test('[TR5] text with blanks, CRLF, U+2028, zero-width and emoji goes out as it came in', async () => {
  const odd = '  lead\r\n\t\u2028\u200b👩‍💻 é e\u0301 trailing  \n\n'
  world.model.say({ pieces: [odd] }, 'ok')
  await session.send(odd, 'text')
  await session.until('agent_end')
  await session.send('next')
  await session.until('agent_end', 2)
  const { messages } = await world.model.request(asked + 2)
  expect(messages.slice(-3)).toEqual([
    { role: 'user', content: odd },
    { role: 'assistant', content: odd },
    { role: 'user', content: 'next' },
  ])
  await writeFile(join(world.server.workspace, 'odd'), odd)
})
