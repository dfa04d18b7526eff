import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { isLiving, parentOf, untilGone } from '../faults/support/living.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'
import { answered } from './support/answered.ts'

let server: TestServer

beforeEach(async () => {
  server = await startServer()
})

afterEach(async () => {
  await server.close()
})

/** A session with a shell whose holder does not move any more. */
async function stopHolder(): Promise<{ session: TestSession; shell: number; holder: number }> {
  const session = await server.session()
  await session.run('echo ready')
  const shell = (await session.view()).shell!.pid
  const holder = parentOf(shell)
  stop(holder)
  return { session, shell, holder }
}

/** Whatever comes of the test, nothing stays behind stopped. */
function stop(pid: number): void {
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => {
    if (isLiving(pid)) process.kill(pid, 'SIGCONT')
  })
}

const remove = (id: string) => server.client.call(routes.deleteSession, { params: { id } })

test('[HOST1] with a stopped holder every route of its session answers in time, Stop too, and others are not held up', async () => {
  const other = await server.session()
  await other.run('echo other')
  const { session } = await stopHolder()
  const params = { id: session.id }
  const [run] = session.all('run_end')
  const { call } = server.client
  const complete = { text: '!ech', cursor: 4, as: 'auto' } as const
  const asked = {
    view: call(routes.session, { params }),
    output: call(routes.runOutput, { params: { ...params, run: run!.run }, query: {} }),
    update: call(routes.updateSession, { params, body: { private: true } }),
    submit: session.send('!echo late'),
    abort: session.abort(),
    interrupt: session.interrupt(),
    complete: call(routes.complete, { params, query: complete }),
    commands: call(routes.commands, { params }),
    history: call(routes.history, { params, query: {} }),
    export: fetch(`${server.url}/v1/sessions/${session.id}/export?format=cast`, {
      headers: { authorization: `Bearer ${server.token}` },
    }).then((response) => response.text()),
    adopt: call(routes.adopt, { params, body: {} }),
    other: other.run('echo still here'),
  }
  const heard = await Promise.all(
    Object.entries(asked).map(async ([name, answer]) => [name, await answered(answer)]),
  )
  expect(heard.filter(([, isAnswered]) => !isAnswered)).toEqual([])
  expect((await asked.other).content).toContain('\nstill here\n')
})

test('[HOST1] a restart replaces a stopped shell and the shell of a stopped holder, and Stop is taken meanwhile', async () => {
  const { session, shell, holder } = await stopHolder()
  const restarted = answered(session.interrupt('restart'))
  expect(await answered(session.abort())).toBe(true)
  expect(await restarted).toBe(true)
  expect((await session.run('echo new')).content).toContain('\nnew\n')
  await untilGone([shell, holder])
  const next = (await session.view()).shell!.pid
  stop(next)
  expect(await answered(session.interrupt('restart'))).toBe(true)
  expect((await session.run('echo newer')).content).toContain('\nnewer\n')
  await untilGone([next])
  expect(session.all('shell_exit').map(({ reason }) => reason)).toEqual(['restarted', 'restarted'])
})

test('[HOST1] a session whose holder is stopped is deleted in time, with its shell, and later ones are too', async () => {
  const { session, shell, holder } = await stopHolder()
  const other = await server.session()
  const answers = [remove(session.id), remove(other.id)].map(answered)
  expect(await Promise.all(answers)).toEqual([true, true])
  await untilGone([shell, holder])
})

test('[HOST1] a server starts and ends in time whatever holder is stopped', async () => {
  const other = await server.session()
  await other.run('KEPT=yes')
  await server.kill()
  await server.restart()
  const { session, shell, holder } = await stopHolder()
  await server.kill()
  await server.restart()
  expect((await server.reopen(other).run('echo $KEPT')).content).toContain('\nyes\n')
  expect(await answered(server.client.call(routes.session, { params: { id: session.id } }))).toBe(
    true,
  )
  const ended = new Promise((resolve) => server.process.once('exit', resolve))
  await server.client.call(routes.shutdown, { body: { shells: 'end' } })
  expect(await answered(ended)).toBe(true)
  await untilGone([shell, holder])
})
