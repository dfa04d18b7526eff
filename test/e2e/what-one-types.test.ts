import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { partByPart, startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'

/** Every row of what a person can type: raw text over HTTP in, events and the model’s request out. */
let model: ScriptedModel
let server: TestServer
let backend: string

beforeAll(async () => {
  model = await startScriptedModel({ otherwise: () => 'Good.' })
  server = await startServer({ env: { TANDEM_BASE_URL: model.baseUrl }, config: partByPart })
  const { workspace } = server
  backend = join(workspace, '..', 'backend')
  for (const folder of [workspace, backend]) {
    await mkdir(folder, { recursive: true })
    execFileSync('git', ['init', '-q', '-b', 'main', folder])
  }
  await writeFile(join(backend, 'only-here.txt'), 'x')
  await mkdir(join(workspace, 'src'))
  await writeFile(join(workspace, 'a.ts'), 'line one\nline two\nline three\n')
  await writeFile(join(workspace, 'src', 'deep.ts'), 'deep\n')
  await writeFile(join(workspace, '.env'), 'KEY=hunter2\n')
  await mkdir(join(workspace, '.tandem', 'skills', 'tidy'), { recursive: true })
  await writeFile(
    join(workspace, '.tandem', 'skills', 'tidy', 'SKILL.md'),
    '---\nname: tidy\ndescription: Tidies up.\n---\nSweep the floor first.\n',
  )
  await mkdir(join(workspace, '.claude', 'commands', 'git'), { recursive: true })
  await writeFile(
    join(workspace, '.claude', 'commands', 'git', 'look.md'),
    '---\ndescription: looks\n---\nLook at $ARGUMENTS: !`pwd`\n',
  )
  await writeFile(join(workspace, 'AGENTS.md'), 'Always whisper.\n')
})

afterAll(async () => {
  await server.close()
  await model.close()
})

/** What the model was sent for the next prompt, its last message being the prompt. */
async function nextRequest(session: TestSession, prompt = 'and now?'): Promise<readonly string[]> {
  const before = model.requests.length
  const ended = session.all('agent_end').length
  await session.send(prompt)
  await session.until('agent_end', ended + 1)
  return (await model.request(before + 1)).messages.map(({ content }) => content)
}

async function trusted(): Promise<TestSession> {
  const session = await server.session()
  await session.send('/trust')
  await session.until('tool_response')
  return session
}

test('[TYPE1] text is a prompt, and reaches the model as it is', async () => {
  const session = await server.session()
  const request = await nextRequest(session, '  two\n lines ')
  expect(request.at(-1)).toBe('  two\n lines ')
  expect(session.all('message')[1]).toMatchObject({ role: 'user', synthetic: false })
})

test('[TYPE1] !!cmd runs in the same shell and never reaches the model', async () => {
  const session = await server.session()
  await session.send('!!echo secret-$((40+2))')
  expect(await session.until('tool_response')).toMatchObject({ status: 'done', inContext: false })
  const request = await nextRequest(session)
  expect(request.join('\n')).not.toMatch(/secret-/)
})

test('[TYPE1] !?cmd is followed by a turn about it', async () => {
  const session = await server.session()
  const before = model.requests.length
  await session.send('!?echo ha')
  const answer = await session.until('tool_response')
  await session.until('agent_end')
  expect((await session.until('agent_start')).trigger).toBe(answer.seq)
  const { messages } = await model.request(before + 1)
  expect(messages.map(({ content }) => content)).toContain(answer.content)
})

test('[TYPE4] /shell runs beside the terminal in the first repo, and the model reads what came of it', async () => {
  const session = await server.session()
  await session.send('/shell git rev-parse --show-toplevel')
  const answer = await session.until('tool_response')
  expect(session.events.map(({ type }) => type)).toEqual([
    'session_start',
    'tool_request',
    'run_start',
    'run_end',
    'tool_response',
  ])
  expect(session.all('tool_request')[0]).toMatchObject({
    name: 'shell',
    args: '/shell git rev-parse --show-toplevel',
    meta: { isClientInitiated: true },
    run: { repo: 'workspace', cwd: server.workspace, lane: 'background', source: 'slash' },
  })
  expect(answer.content).toContain(server.workspace)
  expect(await nextRequest(session)).toContain(answer.content)
})

test('[TYPE4] /shell --repo, --cwd and --timeout say where and how long; several go on at once beside the chat', async () => {
  const session = await server.session()
  await session.send(`/repo add ${backend}`)
  await session.until('tool_response')
  const slow = await session.send('/shell --timeout 40s sleep 30')
  await session.until('run_start')
  const inRepo = await session.answerTo((await session.send('/shell --repo backend ls')).first)
  const inRoot = await session.answerTo((await session.send('/shell --cwd / pwd')).first)
  expect(inRepo.content).toContain('only-here.txt')
  expect(inRoot.content).toMatch(/^\$ pwd\n\/\n/)
  expect((await nextRequest(session)).join('\n')).toContain('only-here.txt')
  const { first } = slow
  await server.client.call(routes.queue, { params: { id: session.id }, body: { seq: first! } })
  expect(await session.answerTo(first)).toMatchObject({ status: 'cancelled' })
  await session.until('run_end', 3)
})

test('[TYPE6] /skill name activates a skill for the model; /name with words begins a turn too', async () => {
  const session = await trusted()
  await session.send('/skill tidy')
  const answer = await session.until('tool_response', 2)
  expect(session.all('tool_request')[1]).toMatchObject({
    name: 'activate_skill',
    skill: 'tidy',
    meta: { isClientInitiated: true },
  })
  expect(answer).toMatchObject({ status: 'done', meta: { isClientInitiated: true } })
  expect(answer.content).toContain('Sweep the floor first.')
  expect((await nextRequest(session)).join('\n')).toContain('Sweep the floor first.')
  const before = model.requests.length
  await session.send('/tidy the kitchen')
  await session.until('agent_end', 2)
  const words = (await model.request(before + 1)).messages.map(({ content }) => content)
  expect(words).toContain('the kitchen')
})

test('[TYPE7] @path, lines of it and @folder/ are read before the turn begins', async () => {
  const session = await server.session()
  const request = await nextRequest(session, 'compare @a.ts:2-3 with @src/, not @nothing')
  const reads = session.all('tool_request')
  expect(reads.map(({ name, args }) => [name, args])).toEqual([
    ['read_file', 'a.ts'],
    ['read_file', 'src/'],
  ])
  const types = session.events.map(({ type }) => type)
  expect(types.lastIndexOf('tool_response')).toBeLessThan(types.indexOf('agent_start'))
  // Whichever was read first comes first.
  const [prompt, ...read] = request.slice(-3)
  const [lines, listing] = [...read].sort()
  expect(prompt).toBe('compare @a.ts:2-3 with @src/, not @nothing')
  expect(lines).toContain('line two\nline three')
  expect(lines).not.toContain('line one')
  expect(listing).toContain('deep.ts')
})

test('[TYPE7] a file that may hold secrets is read only after a yes, and the turn waits for it', async () => {
  const session = await server.session()
  await session.send('look at @.env')
  const ask = await session.until('elicitation_request')
  expect(ask.reasons.join()).toMatch(/may hold secrets/)
  expect(session.all('agent_start')).toEqual([])
  const before = model.requests.length
  await session.send('/deny')
  await session.until('agent_end')
  const denied = (await model.request(before + 1)).messages.map(({ content }) => content)
  expect(denied.join('\n')).not.toContain('hunter2')
  await session.send('again: @.env')
  await session.until('elicitation_request', 2)
  await session.send('/approve')
  await session.until('agent_end', 2)
  const allowed = (await model.request(before + 2)).messages.map(({ content }) => content)
  expect(allowed.join('\n')).toContain('hunter2')
})

test('[TYPE9] a command file is a prompt; what it runs is judged, and its output belongs to it', async () => {
  const session = await trusted()
  const before = model.requests.length
  await session.send('/git:look the tests')
  await session.until('agent_end')
  const [run] = session.all('run_start')
  expect(run, 'it says why nobody was asked').toMatchObject({ verdict: { decision: 'allow' } })
  const words = (await model.request(before + 1)).messages.map(({ content }) => content)
  expect(words.some((text) => text.startsWith('Look at the tests:'))).toBe(true)
  expect(words.join('\n')).toContain(`$ pwd\n${server.workspace}\n`)
})

test('[TYPE10] what is unknown is refused with what is near; what belongs to a screen too', async () => {
  const session = await server.session()
  await expect(session.send('/stat')).rejects.toThrow(/Did you mean \/status/)
  await expect(session.send('/help')).rejects.toThrow(/belongs to the screen/)
  expect(session.events).toHaveLength(1)
})

test('[TYPE10] a backslash makes text of it', async () => {
  const session = await server.session()
  expect((await nextRequest(session, '\\!ls')).at(-1)).toBe('!ls')
  expect((await nextRequest(session, '\\/status')).at(-1)).toBe('/status')
})

test('[TYPE12] /title, /private and /status are calls of a person, and the model hears nothing of them', async () => {
  const session = await server.session()
  await session.send('/title  Our   work ')
  expect((await session.view()).title).toBe('Our work')
  await session.send('/private')
  expect((await session.view()).private).toBe(true)
  await session.send('!echo hidden')
  await session.until('tool_response', 3)
  await session.send('/private off')
  const status = await session.answerTo((await session.send('/status')).first)
  expect(status.content).toMatch(/Our work[\s\S]*team +default/)
  for (const call of session.all('tool_request')) expect(call.meta.isClientInitiated).toBe(true)
  const request = await nextRequest(session)
  expect(request.join('\n')).not.toMatch(/Our work|hidden/)
})

test('[TYPE13] /stop ends the turn, and interrupts what runs in the terminal', async () => {
  const session = await server.session()
  await session.send('!sleep 100')
  await session.until('run_start')
  await session.send('/stop')
  const end = await session.until('run_end')
  expect(end.exitCode).toBe(130)
  let release = () => {}
  model.say({ pieces: ['Well'], ending: new Promise<void>((done) => (release = done)) })
  await session.send('think')
  await session.untilDelta((delta) => delta.type === 'message_delta')
  await session.send('/stop')
  expect((await session.until('agent_end')).reason).toBe('aborted')
  release()
  await expect(session.send('/stop')).rejects.toThrow(/nothing to stop/)
})

test('[TYPE14] /approve and /deny answer the oldest question of the model’s', async () => {
  const session = await server.session()
  model.say('<shell>echo > made</shell>', 'done', '<shell>echo > not-made</shell>', 'as you like')
  await session.send('make it')
  await session.until('elicitation_request')
  await session.send('/approve')
  await session.until('agent_end')
  expect(session.all('run_start').map(({ command }) => command)).toEqual(['echo > made'])
  await session.send('make another')
  await session.until('elicitation_request', 2)
  await session.send('/deny not that one')
  await session.until('agent_end', 2)
  expect(session.all('elicitation_response')[1]).toMatchObject({
    outcome: 'deny',
    word: 'not that one',
  })
  expect(session.all('run_start')).toHaveLength(1)
})

test('[TYPE14] /repo and /task change what the team has, and the model learns of it', async () => {
  const session = await server.session()
  await session.send('/task create Mend the fence')
  const made = await session.until('tool_response')
  const [task] = /T\d{4}/.exec(made.content) ?? []
  await session.send(`/assign ${task} alice`)
  await session.until('tool_response', 2)
  await session.send(`/task review ${task}`)
  await session.until('tool_response', 3)
  await session.send(`/approve ${task}`)
  const approved = await session.until('tool_response', 4)
  expect(approved).toMatchObject({ status: 'done', inContext: true })
  await session.send('/task list')
  expect((await session.until('tool_response', 5)).inContext).toBe(false)
  const request = await nextRequest(session)
  expect(request.join('\n')).toContain(approved.content)
})

test('[TYPE16] /trust lets a folder’s own AGENTS.md, skills and command files count, and not before', async () => {
  const fresh = join(server.workspace, '..', 'fresh')
  await mkdir(join(fresh, '.claude', 'commands'), { recursive: true })
  await writeFile(join(fresh, '.claude', 'commands', 'hi.md'), 'Say hi.')
  await writeFile(join(fresh, 'AGENTS.md'), 'Always whisper.\n')
  const before = await server.session({ workspace: fresh })
  await expect(before.send('/hi')).rejects.toThrow(/no command \/hi/)
  expect((await nextRequest(before)).join('\n')).not.toContain('whisper')
  await before.send('/trust')
  expect((await before.until('tool_response')).content).toContain('is trusted')
  await before.send('/hi')
  const after = await server.session({ workspace: fresh })
  expect((await nextRequest(after)).join('\n')).toContain('Always whisper.')
})

test('[TYPE12] /export writes the session to a file and says where', async () => {
  const session = await server.session()
  await session.send('/export md kept.md')
  const told = await session.until('tool_response')
  expect(told).toMatchObject({ status: 'done', inContext: false })
  expect(told.content).toContain('kept.md')
})

test('[TYPE18] queued text can mention a file, be edited, and be withdrawn with what it reads', async () => {
  const session = await server.session()
  let release = () => {}
  model.say({ pieces: ['Well'], ending: new Promise<void>((done) => (release = done)) })
  await session.send('think')
  await session.untilDelta((delta) => delta.type === 'message_delta')
  const queued = await session.send('then @a.ts and @.env')
  await session.until('elicitation_request')
  await server.client.call(routes.queue, {
    params: { id: session.id },
    body: { seq: queued.first!, text: 'then @src/deep.ts' },
  })
  release()
  await session.until('agent_end', 2)
  const words = model.requests.at(-1)!.messages.map(({ content }) => content)
  expect(words).toContain('then @src/deep.ts')
  expect(words.join('\n')).toContain('deep')
  expect(words.join('\n')).not.toMatch(/line two|hunter2|withdrawn/)
})

test('[TYPE6] the shared shell and /shell have a skill command; trust counts for it at once', async () => {
  const fresh = join(server.workspace, '..', 'with-skill')
  await mkdir(join(fresh, '.agents', 'skills', 'bake'), { recursive: true })
  await writeFile(
    join(fresh, '.agents', 'skills', 'bake', 'SKILL.md'),
    '---\nname: bake\ndescription: Bakes bread.\n---\nHeat the oven.\n',
  )
  const session = await server.session({ workspace: fresh })
  expect((await session.run('skill list')).content).not.toMatch(/^- bake/m)
  await session.send('/trust')
  await session.until('tool_response', 2)
  expect((await session.run('skill list')).content).toMatch(/\n- bake\n/)
  const { skills } = await server.client.call(routes.skills, { query: { folder: fresh } })
  expect(skills.map(({ name, source }) => [name, source])).toContainEqual(['bake', 'project'])
  expect((await server.client.call(routes.skills, {})).skills).toEqual([])
  const beside = await session.answerTo((await session.send('/shell skill show bake')).first)
  expect(beside.content).toContain('Heat the oven.')
  model.say('<shell>skill list</shell>', 'There is one.')
  const before = model.requests.length
  await session.send('which skills are there?')
  await session.until('agent_end')
  const { messages } = await model.request(before + 2)
  expect(messages.at(-1)!.content).toContain('- bake')
})

test('[TYPE16] a session that begins with a command and a turn about it knows the project’s AGENTS.md too', async () => {
  await (await trusted()).live()
  const session = await server.session()
  const before = model.requests.length
  await session.send('!?echo begun', 'run')
  await session.until('agent_end')
  const words = (await model.request(before + 1)).messages.map(({ content }) => content)
  expect(words.join('\n')).toContain('Always whisper.')
  expect(words.join('\n')).toContain('tidy')
})
