import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { sitDown } from '../live-view/support/sit-down.ts'

/** Shell code that goes on when the file is there. */
const waitFor = (file: string) => `until [ -e ${file} ]; do read -rt 0.05 _ </dev/tty; done`

test('[TYPED8] the output of a typed run is kept for people, and the model reads it only from the terminal', async () => {
  const { server, session, viewer } = await sitDown()
  viewer.type('echo $((40 + 2))-out\r')
  const { run, content } = await session.until('run_end')
  expect(content).toBe('[the user typed: $ echo $((40 + 2))-out → exit 0]')
  const output = await server.client.call(routes.runOutput, {
    params: { id: session.id, run },
    query: {},
  })
  expect(output.text).toBe('42-out\r\n')
})

test('[TYPED6] while a typed program runs, a person’s command waits and the model’s is answered as busy', async () => {
  const { model, session, viewer } = await sitDown()
  viewer.type('cat\r')
  await session.until('run_start')
  model.say('<shell>pwd</shell>', 'Later, then.')
  await session.send('go')
  expect(await session.until('tool_response')).toMatchObject({
    status: 'busy',
    content: '$ pwd\n[not run: the user’s command is still running in the terminal: cat]',
  })
  await session.until('agent_end')
  const { first } = await session.send('!echo after')
  expect((await session.view()).open.runs).toMatchObject([{ source: 'typed', command: 'cat' }])
  viewer.type('\x04')
  expect(await session.answerTo(first)).toMatchObject({ status: 'done' })
  expect(session.all('run_start').map(({ source }) => source)).toEqual(['typed', 'bang'])
})

test('[TYPED8] what is typed in private mode is a private run and never reaches the model', async () => {
  const { model, server, session, viewer } = await sitDown()
  await server.patch(session.id, { private: true })
  viewer.type('echo hushed-words\r')
  expect(await session.until('run_start')).toMatchObject({ source: 'typed', private: true })
  expect(await session.until('run_end')).toMatchObject({ content: null })
  await server.patch(session.id, { private: false })
  viewer.type('echo open\r')
  expect(await session.until('run_end', 2)).toMatchObject({
    content: '[the user typed: $ echo open → exit 0]',
  })
  model.say('Yes.')
  await session.send('well?')
  await session.until('agent_end')
  expect((await model.request(1)).body).not.toContain('hushed')
})

test('[TYPED6] a typed run that goes on while the server is killed ends with its real code, once', async () => {
  const { server, session, viewer } = await sitDown()
  const go = join(server.workspace, 'go')
  viewer.type(`${waitFor(go)}; sh -c 'exit 6'\r`)
  const { run } = await session.until('run_start')
  await server.restart()
  const again = server.reopen(session)
  await again.live()
  expect((await again.view()).open.runs).toMatchObject([{ run }])
  await writeFile(go, '')
  expect(await again.until('run_end')).toMatchObject({ run, outcome: 'ended', exitCode: 6 })
  await again.run('true')
  expect(again.all('run_start').map(({ source }) => source)).toEqual(['typed', 'bash'])
  await server.restart()
  const last = server.reopen(session)
  await last.run('true')
  expect(last.all('run_start').filter(({ source }) => source === 'typed')).toHaveLength(1)
})

test('[TYPED6] a typed run ends with its shell', async () => {
  const { session, viewer } = await sitDown()
  viewer.type('exit 5\r')
  const start = await session.until('run_start')
  expect(await session.until('run_end')).toMatchObject({
    run: start.run,
    outcome: 'shell_exited',
    content: '[the user typed: $ exit 5 → the shell ended]',
  })
  await session.until('shell_exit')
})

test('[TYPED6] keys typed into a program that the model runs make no run, taken over or not', async () => {
  const { model, server, session, viewer } = await sitDown()
  model.say('<shell>cat</shell>', 'It waits.')
  await session.send('go')
  await session.answer('allow')
  await session.until('agent_end')
  viewer.type('echo refused\r')
  await viewer.untilFrame('refused')
  await server.client.call(routes.driver, {
    params: { id: session.id },
    body: { driver: 'person' },
  })
  viewer.type('echo to the program\r\x04')
  await session.until('run_end')
  expect(session.all('run_start').map(({ source }) => source)).toEqual(['model'])
})
