import { expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { makeGate } from '../faults/support/gate.ts'
import { openTestSession, type TestSession } from '../support/session.ts'
import { useWorld } from '../support/world.ts'
import { refusalToTake, take } from './support/take.ts'

const world = useWorld()

/** Whatever the answer was, the shell is where it was and does what it did. */
async function expectUnmoved(session: TestSession, pid: number): Promise<void> {
  expect((await session.view()).shell).toMatchObject({ pid })
  expect(session.all('shell_exit')).toEqual([])
}

test('[MOVE7] a terminal in which a program runs is not taken, and can be when that has ended', async () => {
  const { server } = world
  const session = await server.session()
  const gate = makeGate(server.workspace, 'busy')
  await session.run('KEPT=yes')
  const { pid } = (await session.view()).shell!
  const { first } = await session.send(`!${gate.wait}`)
  await session.until('run_start', 2)
  expect(await refusalToTake(server, session.id)).toMatchObject({
    code: 'terminal_busy',
    message: expect.stringMatching(/^A program runs in the terminal \(until .*\): end it first\.$/),
  })
  await expectUnmoved(session, pid)
  await gate.open()
  await session.answerTo(first)
  expect((await (await take(server, session)).run('echo $KEPT')).content).toContain('\nyes\n')
})

test('[MOVE7] nor one that the model works in, waits for a yes, or that is inside another shell', async () => {
  const { server, model } = world
  const session = await server.session()
  await session.run('true')
  const { pid } = (await session.view()).shell!
  model.say('<shell>rm -rf nothing</shell>')
  await session.send('clean up')
  await session.until('elicitation_request')
  expect((await refusalToTake(server, session.id)).message).toContain('answer it first')
  await session.answer('deny')
  await session.until('agent_end')

  let end = () => {}
  const ending = new Promise<void>((resolve) => {
    end = resolve
  })
  model.say({ pieces: ['Let me think'], ending })
  await session.send('think')
  await session.untilDelta(
    (delta) => delta.type === 'message_delta' && delta.text.includes('think'),
  )
  expect((await refusalToTake(server, session.id)).message).toContain('The model works in')
  end()
  await session.until('agent_end', 2)

  const { first } = await session.send('!bash --norc')
  await session.untilDelta(
    (delta) => delta.type === 'tool_update' && delta.request === first && delta.status === 'screen',
  )
  await server.client.call(routes.adopt, { params: { id: session.id }, body: {} })
  await session.until('shell_adopt')
  expect((await refusalToTake(server, session.id)).message).toBe(
    'The terminal is inside another shell (bash --norc): leave it first.',
  )
  await expectUnmoved(session, pid)
})

test('[MOVE7] a terminal is taken once: of many who ask at once one has it, the others are told who', async () => {
  const { server } = world
  const session = await server.session()
  await session.run('KEPT=yes')
  const { workspace, client } = server
  const body = { workspace, terminalFrom: session.id }
  const asked = await Promise.allSettled(
    Array.from({ length: 6 }, () => client.call(routes.createSession, { body })),
  )
  const taken = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(taken).toHaveLength(1)
  const winner = openTestSession(client, taken[0]!.id)
  expect((await winner.run('echo $KEPT')).content).toContain('\nyes\n')
  expect(await refusalToTake(server, session.id)).toMatchObject({
    code: 'taken',
    detail: { session: winner.id },
  })
  expect(
    (await client.call(routes.sessions, {})).sessions.filter(({ live }) => live),
  ).toContainEqual(expect.objectContaining({ id: winner.id }))
})

test('[MOVE7] a session without a terminal gives none: the new one begins like any other; one that is not there, or of another team, is refused', async () => {
  const { server } = world
  const empty = await server.session()
  const next = await take(server, empty)
  expect((await next.view()).shell).toBeNull()
  expect((await next.run('echo own')).content).toContain('\nown\n')
  expect(empty.all('shell_exit')).toEqual([])
  const ended = await server.session()
  await ended.send('!exit')
  await ended.until('shell_exit')
  expect((await (await take(server, ended)).view()).shell).toBeNull()

  expect(await refusalToTake(server, 'no-such-session')).toMatchObject({ code: 'not_found' })
  const body = { workspace: server.workspace, terminalFrom: next.id, team: 'others' }
  await expect(server.client.call(routes.createSession, { body })).rejects.toThrow(
    'A terminal stays in its team',
  )
  expect((await next.view()).shell).not.toBeNull()
})

test('[MOVE7] what runs beside the terminal does not hold it, and stays in its session', async () => {
  const { server } = world
  const session = await server.session()
  const gate = makeGate(server.workspace, 'beside')
  await session.run('KEPT=yes')
  const { first } = await session.send(`/shell bash -c '${gate.wait}; echo beside'`)
  await session.until('run_start', 2)
  const next = await take(server, session)
  expect((await next.run('echo $KEPT')).content).toContain('\nyes\n')
  await gate.open()
  expect((await session.answerTo(first)).content).toContain('\nbeside\n')
})
