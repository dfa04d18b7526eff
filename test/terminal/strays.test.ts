import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { useServer } from '../support/world.ts'

const world = useServer()

/** Where nobody reaps them, those that have ended stay as zombies. */
function lives(pid: number): boolean {
  const status = existsSync(`/proc/${pid}`)
    ? readFileSync(`/proc/${pid}/status`, 'utf8')
    : 'State:\tX'
  return !/^State:\s*[ZX]/m.test(status)
}

test('[TERM23] what a session sent away by setsid, nohup or a double fork ends when it is deleted, and nothing else does', async () => {
  const { server } = world
  const [session, other] = [await server.session(), await server.session()]
  const away = `
    setsid sh -c 'echo $$ > one; exec sleep 10001' &
    (setsid sh -c 'echo $$ > two; exec sleep 10002' < /dev/null > /dev/null 2>&1 &)
    nohup setsid sh -c 'trap "" HUP TERM; echo $$ > three; while :; do sleep 1; done' > /dev/null 2>&1 &
    until [ -s one ] && [ -s two ] && [ -s three ]; do sleep 0.02; done`
  await session.run(away)
  const at = async (name: string) => Number(await readFile(join(server.workspace, name), 'utf8'))
  const pids = [await at('one'), await at('two'), await at('three')]
  await other.run(
    `setsid sh -c 'echo $$ > four; exec sleep 10003' & until [ -s four ]; do sleep 0.02; done`,
  )
  const stranger = spawn('sleep', ['10004'], { detached: true })
  onTestFinished(() => void stranger.kill())
  await once(stranger, 'spawn')
  expect(pids.every(lives)).toBe(true)
  await server.client.call(routes.deleteSession, { params: { id: session.id } })
  expect(pids.filter(lives)).toEqual([])
  expect(lives(await at('four'))).toBe(true)
  expect(lives(stranger.pid!)).toBe(true)
  await server.client.call(routes.deleteSession, { params: { id: other.id } })
  expect(lives(await at('four'))).toBe(false)
})
