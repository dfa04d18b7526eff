// needs: python3
import { expect, onTestFinished, test } from 'vitest'
import { refusalOf } from '../../src/client/wire/client-error.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { expectExtends } from '../support/prefix.ts'
import { partByPart, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'
import { startWorld, type World } from '../support/world.ts'

async function open(): Promise<World & { session: TestSession }> {
  const world = await startWorld({ config: partByPart })
  onTestFinished(world.close)
  return { ...world, session: await world.server.session() }
}

/** Starts something that waits for keys, and waits until it does. */
async function begin(session: TestSession, command: string): Promise<number> {
  const { first } = await session.send(`!${command}`)
  await session.untilDelta(
    (delta) => delta.type === 'tool_update' && delta.request === first && delta.status === 'screen',
  )
  return first ?? 0
}

const adopt = ({ client }: TestServer, { id }: TestSession) =>
  client.call(routes.adopt, { params: { id }, body: {} })

test('[ADOPT20] commands of person and model run in the adopted shell, and the model is told where it is', async () => {
  const { model, server, session } = await open()
  await session.run('where=outer')
  const around = await begin(session, 'bash --norc')
  await adopt(server, session)
  const adopted = await session.until('shell_adopt')
  expect(adopted).toMatchObject({ level: 1, shell: 'bash', command: 'bash --norc' })
  expect((await session.run('where=inner; echo "in $where"')).content).toContain('in inner\n')
  expect(await session.view()).toMatchObject({
    status: 'idle',
    open: { levels: [{ seq: adopted.seq, command: 'bash --norc' }], runs: [{ request: around }] },
  })

  model.say('<shell>pwd</shell>', 'I saw it.', '<shell>pwd</shell>', 'And again.')
  await session.send('where are we?')
  const ask = await session.until('elicitation_request')
  expect(ask.reasons).toEqual(['it runs in an adopted shell: bash --norc'])
  await session.answer('allow')
  await session.until('agent_end')
  expect(JSON.stringify(model.requests[0])).toContain('the terminal is now inside another shell')

  await session.send('!exit 4')
  expect((await session.answerTo(around)).content).toMatch(/\[exit 4; run by the user\]$/)
  expect(await session.until('shell_leave')).toMatchObject({ start: adopted.seq, level: 1 })
  expect((await session.run('echo "in $where"')).content).toContain('in outer\n')
  await session.send('and now?')
  await session.until('agent_end', 2)
  expect(session.all('elicitation_request')).toHaveLength(1)
  const [, second, third] = model.requests
  expectExtends(third!, second!)
  expect(JSON.stringify(third)).toContain('has ended: commands run in the shell around it again')
})

test('[ADOPT6] what cannot be adopted is refused with a sentence, and nothing is typed', async () => {
  const { server, session } = await open()
  await session.run('true')
  const refused = await adopt(server, session).catch(refusalOf)
  expect(refused).toMatchObject({
    code: 'no_run',
    message: 'There is no shell to adopt: nothing runs in the terminal.',
  })
  const python = await begin(session, 'python3 -q')
  const { first } = await session.send('/adopt')
  expect(await session.answerTo(first)).toMatchObject({
    status: 'error',
    content: expect.stringContaining('python3 is not a shell'),
  })
  await session.interrupt('kill')
  const ended = await session.answerTo(python)
  expect(ended.content).not.toContain('printf')
  expect(session.all('shell_adopt')).toEqual([])
})

test('[ADOPT6] a private command is not adopted', async () => {
  const { server, session } = await open()
  await session.run('true')
  const { first } = await session.send('!!bash --norc')
  await session.untilDelta(
    (delta) => delta.type === 'tool_update' && delta.request === first && delta.status === 'screen',
  )
  expect(await adopt(server, session).catch(refusalOf)).toMatchObject({
    message: expect.stringContaining('private'),
  })
})

test('[ADOPT1] a killed server’s successor goes on in the adopted shell, and it falls back as before', async () => {
  const { server, session } = await open()
  const around = await begin(session, 'bash --norc')
  await adopt(server, session)
  await session.until('shell_adopt')
  await session.run('kept=yes')
  await server.restart()
  const again = server.reopen(session)
  await again.live()
  expect((await again.run('echo "kept $kept"')).content).toContain('kept yes\n')
  await again.send('!exit 6')
  expect((await again.answerTo(around)).content).toMatch(/\[exit 6; run by the user\]$/)
  expect(again.all('shell_adopt')).toHaveLength(1)
  expect(again.all('shell_leave')).toHaveLength(1)
  expect((await again.view()).open).toMatchObject({ levels: [], runs: [] })
})

test('[ADOPT20] a shell that is restarted leaves no adopted one open', async () => {
  const { server, session } = await open()
  await begin(session, 'bash --norc')
  await adopt(server, session)
  await session.until('shell_adopt')
  await session.interrupt('restart')
  expect(await session.until('shell_exit')).toMatchObject({ reason: 'restarted' })
  expect(session.all('shell_leave')).toHaveLength(1)
  expect((await session.view()).open).toMatchObject({ levels: [], runs: [] })
})

test('[ADOPT20] a shell that became another one by exec is adopted, and the model’s commands in it ask', async () => {
  const { model, server, session } = await open()
  await session.run('exec bash --norc')
  await adopt(server, session)
  expect(await session.until('shell_adopt')).toMatchObject({ level: 0, run: null })
  expect((await session.run('echo "there $((1 + 1))"')).content).toContain('there 2\n')
  model.say('<shell>pwd</shell>', 'I saw it.')
  await session.send('where are we?')
  const ask = await session.until('elicitation_request')
  expect(ask.reasons).toEqual(['it runs in an adopted shell: exec'])
  expect(JSON.stringify(model.requests[0])).toContain('the shell was replaced by another one')
})
