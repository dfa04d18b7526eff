import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Event } from '../../src/protocol/events/event.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { partByPart, startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'

/** What a person typed is refused, stopped, taken back, or the server dies over it. */
let model: ScriptedModel
let server: TestServer

beforeAll(async () => {
  model = await startScriptedModel({ otherwise: () => 'Good.' })
  server = await startServer({ env: { TANDEM_BASE_URL: model.baseUrl }, config: partByPart })
  const commands = join(server.workspace, '.tandem', 'commands')
  await mkdir(commands, { recursive: true })
  await writeFile(join(server.workspace, 'a.ts'), 'line one\n')
  await writeFile(join(server.workspace, '.env'), 'KEY=hunter2\n')
  await writeFile(join(commands, 'größe.md'), 'How large is @a.ts to $ARGUMENTS?')
  await writeFile(join(commands, 'help.md'), 'Not what one types.')
  await writeFile(join(commands, 'status.md'), 'Nor this.')
  await writeFile(join(commands, 'wait.md'), 'See !`echo begun; sleep 90` and !`pwd`.')
})

afterAll(async () => {
  await server.close()
  await model.close()
})

async function trusted(): Promise<TestSession> {
  const session = await server.session()
  await session.send('/trust')
  await session.until('tool_response')
  return session
}

const said = () => model.requests.at(-1)!.messages.map(({ content }) => content)

/** Calls, runs and asks that are open at the end of a log, and what was closed twice. */
function unclosed(events: readonly Event[]): readonly string[] {
  const open = new Map<string, number>()
  const count = (key: string, by: number) => open.set(key, (open.get(key) ?? 0) + by)
  for (const event of events) {
    if (event.type === 'tool_request') count(`call ${event.seq}`, 1)
    if (event.type === 'tool_response') count(`call ${event.request}`, -1)
    if (event.type === 'run_start') count(`run ${event.seq}`, 1)
    if (event.type === 'run_end') count(`run ${event.start}`, -1)
    if (event.type === 'elicitation_request') count(`ask ${event.seq}`, 1)
    if (event.type === 'elicitation_response') count(`ask ${event.request}`, -1)
    if (event.type === 'agent_start') count(`turn ${event.seq}`, 1)
    if (event.type === 'agent_end') count(`turn ${event.turn}`, -1)
  }
  return [...open].flatMap(([key, left]) => (left === 0 ? [] : [`${key}: ${left}`]))
}

test('[TYPE9] a command file may have a name in any script and mention files, and is never taken for a command of ours', async () => {
  const session = await trusted()
  await session.send('/größe me')
  await session.until('agent_end')
  expect(said().slice(-2)).toEqual(['How large is @a.ts to me?', '@a.ts (1 line)\nline one\n'])
  const { content } = await session.answerTo((await session.send('/status')).first)
  expect(content).toMatch(/^session /)
  await expect(session.send('/help')).rejects.toThrow(/belongs to the screen/)
  const { commands } = await server.client.call(routes.commands, { params: { id: session.id } })
  const named = commands.filter(({ name }) => ['größe', 'help', 'status'].includes(name))
  expect(named.map(({ name, source }) => `${name} ${source}`).sort()).toEqual([
    'größe file',
    'help local',
    'status session',
  ])
})

test('[TYPE13] /stop takes back a prompt that still waits, and with nothing else to stop what runs beside the terminal', async () => {
  const session = await server.session()
  await expect(session.send('/stop')).rejects.toThrow(/nothing to stop/)
  await session.send('look at @.env')
  await session.until('elicitation_request')
  await session.send('/stop')
  expect((await session.view()).open).toMatchObject({ queue: [], asks: [], calls: [] })
  const beside = await session.send('/shell echo begun; sleep 60')
  await session.untilDelta((delta) => delta.type === 'tool_update' && !!delta.output)
  await session.send('/stop')
  expect(await session.answerTo(beside.first)).toMatchObject({ status: 'cancelled' })
  await session.until('run_end')
  await session.send('and now?')
  await session.until('agent_end')
  const words = said().join('\n')
  expect(words).not.toContain('.env')
  expect(words).toContain('begun\n[it has ended since')
  expect(unclosed(session.events)).toEqual([])
})

test('[TYPE7] a no to what a prompt would read is told to the model with its word, and the turn goes on', async () => {
  const session = await server.session()
  await session.send('look at @.env')
  await session.until('elicitation_request')
  await session.send('/deny it is secret')
  await session.until('agent_end')
  expect(said().at(-1)).toBe(
    '@.env\nit is secret\n[not read: the user said no, in the words above; mentioned by the user]',
  )
})

test('[TYPE23] a server that dies over a question, a read or a command file leaves nothing open, and the turn goes on', async () => {
  const session = await trusted()
  await session.send('/wait')
  // A rule would be about the model's commands, and a file's are none.
  expect(await session.until('elicitation_request')).not.toHaveProperty('offer')
  await session.until('run_end')
  await session.send('look at @.env')
  await session.answer('allow')
  await session.until('run_start', 2)
  await session.until('elicitation_request', 2)
  await server.restart()
  const again = server.reopen(session)
  await again.answer('allow')
  await again.until('agent_end', 2)
  const words = said()
  const prompt = words.findIndex((text) => text.startsWith('See `echo begun'))
  expect(words.slice(prompt)).toEqual([
    'See `echo begun; sleep 90` (its output follows) and `pwd` (its output follows).',
    expect.stringContaining('$ pwd\n'),
    expect.stringMatching(
      /^\$ echo begun; sleep 90\n\[outcome unknown: the server was lost while it ran; in .*; run by the user\]$/,
    ),
    'Good.',
    'look at @.env',
    '@.env (1 line)\nKEY=hunter2\n',
  ])
  expect(unclosed(again.events)).toEqual([])
})

test('[TYPE4] of nine commands beside the terminal the ninth waits, and whatever is taken back is told once', async () => {
  const session = await server.session()
  const sent = []
  for (let n = 1; n <= 9; n += 1)
    sent.push((await session.send(`/shell sleep 60; echo ${n}`)).first!)
  const started = () =>
    new Set(
      session.deltas.flatMap((delta) =>
        delta.type === 'tool_update' && delta.status === 'running' ? [delta.request] : [],
      ),
    )
  await session.untilDelta(() => started().size === 8)
  expect(started()).toEqual(new Set(sent.slice(0, 8)))
  const params = { id: session.id }
  for (const seq of sent.toReversed())
    await server.client.call(routes.queue, { params, body: { seq } })
  await session.until('run_end', 9)
  const ends = session.all('run_end')
  expect(ends.filter(({ outcome }) => outcome === 'not_started')).toHaveLength(1)
  expect(ends.map(({ content }) => content)).toEqual(ends.map(() => null))
  expect(unclosed(session.events)).toEqual([])
})
