import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/server/http/server.ts'
import { teamDeps } from '../support/teams.ts'
import { createScriptedHosts } from './scripted-hosts.ts'
import { isLive, noModels, openEvents, openTab, startTestServer, testAccess } from './support.ts'

const deps = async () => ({
  hosts: createScriptedHosts(),
  ...teamDeps(),
  ...(await testAccess()),
  version: '1.2.3',
  models: noModels,
  shutdown: () => {},
  diagnostics: () => {},
  now: () => 0,
})

async function takenPort(): Promise<number> {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const address = other.address()
  if (typeof address !== 'object' || address === null) throw new Error('not listening')
  return address.port
}

test('[HTTP90] a demanded port that is taken is a failure that says what to do', async () => {
  const port = await takenPort()
  expect(await listen(await deps(), { port, demanded: true })).toEqual({
    ok: false,
    error: { code: 'port_in_use', port, message: expect.stringMatching(/taken.*Choose another/) },
  })
})

test('[HTTP90] a remembered port is used again if it is free, and gives way if not', async () => {
  const first = await startTestServer()
  await first.close()
  const again = await listen(await deps(), { port: first.port, demanded: false })
  if (!again.ok) throw new Error(again.error.message)
  expect(again.value.port).toBe(first.port)
  await again.value.close()
  const port = await takenPort()
  const elsewhere = await listen(await deps(), { port, demanded: false })
  if (!elsewhere.ok) throw new Error(elsewhere.error.message)
  onTestFinished(() => elsewhere.value.close())
  expect(elsewhere.value.port).not.toBe(port)
})

test('[HTTP90] no address of this machine but loopback answers', async () => {
  const server = await startTestServer()
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)
  for (const host of [...addresses, '127.0.0.2']) {
    const outcome = await new Promise((resolve) => {
      const socket = connect(server.port, host)
      socket.once('connect', () => resolve('connected')).once('error', () => resolve('refused'))
    })
    expect([host, outcome]).toEqual([host, 'refused'])
  }
})

test('[HTTP93] a closing server says goodbye to streams and sockets, and leaves nothing open', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const stream = await openEvents(server, `/v1/sessions/${host.id}/events`)
  await stream.until(isLive)
  const tab = await openTab(server)
  tab.say({ type: 'subscribe', session: host.id, after: 0 })
  await host.followedBy(2)
  await server.close()
  await stream.ended
  await tab.closed
  const closed = { type: 'closed', reason: 'shutdown' }
  expect(JSON.parse(stream.messages.at(-1)?.data ?? '')).toEqual(closed)
  expect(tab.frames.at(-1)).toEqual({ type: 'frame', session: host.id, frame: closed })
  expect(host.subscribers()).toBe(0)
  await expect(fetch(server.url)).rejects.toThrow()
})

test('[HTTP93] a connection that has asked nothing does not hold up the end', async () => {
  const server = await startTestServer({ graceMs: 600_000 })
  const socket = connect(server.port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  const cut = new Promise((resolve) => socket.once('close', resolve).on('error', () => {}))
  await server.close()
  await cut
})

test('[HTTP93] the server knows since when nobody is there', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  expect(server.idleSince()).toBe(0)
  const stream = await openEvents(server, `/v1/sessions/${host.id}/events`)
  await stream.until(isLive)
  expect(server.idleSince()).toBe(null)
  server.pass(70)
  stream.leave()
  await expect.poll(() => server.idleSince()).toBe(70)
  const tab = await openTab(server)
  await expect.poll(() => server.idleSince()).toBe(null)
  server.pass(30)
  tab.socket.close()
  await expect.poll(() => server.idleSince()).toBe(100)
})
