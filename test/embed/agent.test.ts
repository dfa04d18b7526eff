import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Agent, AgentFrame, Event } from '../../src/index.ts'
import { createSignal } from '../support/signal.ts'
import { useEmbedded } from './embedded.ts'

const embedded = useEmbedded()
let agent: Agent

beforeEach(async () => {
  embedded.model.hush()
  agent = await embedded.agent()
})

const eventsOf = (frames: readonly AgentFrame[]) =>
  frames.flatMap((frame) => (frame.type === 'event' ? [frame.event] : []))

test('[EMBED1] a command resolves with its answer, and the model’s next request has it', async () => {
  const run = await agent.send({ message: '!echo $((40 + 2)); (exit 3)' })
  expect(run).toMatchObject({
    reason: 'done',
    steps: 0,
    runs: [{ command: 'echo $((40 + 2)); (exit 3)', exitCode: 3 }],
    error: null,
  })
  expect(run.text).toMatch(/^\$ echo .*\n42\n\[exit 3/)
  embedded.model.say('So it is.')
  const before = embedded.model.requests.length
  const turn = await agent.send('what was that?')
  expect(turn).toMatchObject({ text: 'So it is.', reason: 'done', steps: 1, runs: [] })
  expect(turn.usage).toMatchObject({ input: 100, output: 7 })
  expect((await embedded.model.request(before + 1)).body).toContain('echo $((40 + 2)); (exit 3)')
  const status = await agent.send('/status')
  expect(status.text).not.toBe('')
})

test('[EMBED1] text can be taken as a command, or as nothing but text', async () => {
  expect((await agent.send({ message: 'echo ran', as: 'run' })).text).toContain('\nran\n')
  embedded.model.say('Only text.')
  const turn = await agent.send({ message: '!echo not-run', as: 'text' })
  expect(turn).toMatchObject({ text: 'Only text.', runs: [] })
  for (const nothing of ['!', ''])
    expect(await agent.send(nothing)).toMatchObject({ text: '', runs: [], reason: 'done' })
})

test('[EMBED3] a listener hears every event and what is live, until it has enough', async () => {
  const frames: AgentFrame[] = []
  const stop = agent.subscribe((frame) => void frames.push(frame))
  embedded.model.say('<shell>pwd</shell>', 'Here.')
  await agent.send('where?')
  const events = eventsOf(frames)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 2))
  expect(events.at(-1)?.type).toBe('agent_end')
  const text = frames.flatMap((frame) =>
    frame.type === 'delta' && frame.delta.type === 'message_delta' ? [frame.delta.text] : [],
  )
  expect(text.join('')).toBe('<shell>pwd</shell>Here.')
  stop()
  const heard = frames.length
  await agent.send('!true')
  expect(frames.length).toBe(heard)
})

test('[EMBED3] events can be read from any place on, as they come, until the agent is closed', async () => {
  await agent.send('!true')
  const read: Event[] = []
  const signal = createSignal()
  const reading = (async () => {
    for await (const event of agent.events(2)) {
      read.push(event)
      signal.fire()
    }
  })()
  await signal.until(() => read.at(-1)?.type === 'tool_response')
  const { length } = read
  await agent.send('!echo more')
  await signal.until(() => read.filter(({ type }) => type === 'tool_response').length === 2)
  expect(read.length).toBeGreaterThan(length)
  expect(read.map(({ seq }) => seq)).toEqual(read.map((_, index) => index + 3))
  await agent.close()
  await reading
})

test('[EMBED5] an ask waits for its answer, which may be another command', async () => {
  agent.subscribe((frame) => {
    if (frame.type !== 'event' || frame.event.type !== 'elicitation_request') return
    void agent.answer(frame.event.ask, 'allow', { command: 'echo instead' })
  })
  embedded.model.say('<shell>rm -rf nothing</shell>', 'Done.')
  const turn = await agent.send('clean up')
  expect(turn).toMatchObject({ text: 'Done.', runs: [{ command: 'echo instead', exitCode: 0 }] })
})

test('[EMBED5] an abort ends the turn, and without one there is nothing to do', async () => {
  await agent.abort()
  embedded.model.say({ pieces: ['Once upon '], ending: new Promise<void>(() => undefined) })
  const heard = createSignal()
  let text = ''
  agent.subscribe((frame) => {
    if (frame.type === 'delta' && frame.delta.type === 'message_delta') text += frame.delta.text
    heard.fire()
  })
  const sent = agent.send('tell')
  await heard.until(() => text === 'Once upon ')
  await agent.abort()
  expect(await sent).toMatchObject({ reason: 'aborted', text: 'Once upon ' })
})

test('[EMBED1] /skill gives the events of activate_skill, marked as a client’s, and the model reads it', async () => {
  const folder = join(embedded.root, '.agents', 'skills', 'greet')
  await mkdir(folder, { recursive: true })
  const skill = '---\nname: greet\ndescription: Greets people\n---\nAlways say ahoy.\n'
  await writeFile(join(folder, 'SKILL.md'), skill)
  const sailor = await embedded.agent()
  const frames: AgentFrame[] = []
  sailor.subscribe((frame) => void frames.push(frame))
  const answer = await sailor.send({ message: '/skill greet' })
  expect(answer).toMatchObject({ reason: 'done', steps: 0 })
  expect(answer.text).toContain('Always say ahoy.')
  const [request, response] = eventsOf(frames).filter(({ type }) => type.startsWith('tool_'))
  expect(request).toMatchObject({
    type: 'tool_request',
    name: 'activate_skill',
    skill: 'greet',
    meta: { isClientInitiated: true },
  })
  expect(response).toMatchObject({
    type: 'tool_response',
    request: request?.seq,
    status: 'done',
    meta: { isClientInitiated: true },
  })
  embedded.model.say('Ahoy.')
  const before = embedded.model.requests.length
  await sailor.send('hello')
  expect((await embedded.model.request(before + 1)).body).toContain('Always say ahoy.')
})

test('[EMBED8] a session is taken up again, with another title and approval', async () => {
  await agent.send('!export KEPT=yes')
  const again = await embedded.agent({
    session: agent.session,
    title: 'Taken up',
    approval: 'refuse',
  })
  expect((await again.send('!echo "[$KEPT]"')).text).toContain('[yes]')
  embedded.model.say('<shell>rm -rf nothing</shell>', 'Then not.')
  expect(await again.send('clean up')).toMatchObject({ text: 'Then not.', runs: [] })
})

test('[SEC6] a text that may answer a password question is refused unless the program says that it is none', async () => {
  const gate = join(embedded.workspace, 'gate')
  execFileSync('mkfifo', [gate])
  const asked = createSignal()
  let output = ''
  agent.subscribe((frame) => {
    if (frame.type === 'delta' && frame.delta.type === 'tool_update')
      output += frame.delta.output?.text ?? ''
    asked.fire()
  })
  const ask = `stty raw -echo; printf '%s' "me@host's pass""word: "; cat gate; stty sane`
  const run = agent.send(`!${ask}`)
  await asked.until(() => output.includes('password: '))
  await expect(agent.send('is it up?')).rejects.toMatchObject({ code: 'secret_suspected' })
  embedded.model.say('It is.')
  const said = await agent.send({ message: 'is it up?', notSecret: true })
  expect(said).toMatchObject({ text: 'It is.', reason: 'done' })
  await writeFile(gate, '')
  await run
})
