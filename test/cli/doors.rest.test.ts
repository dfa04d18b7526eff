import { chmodSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { testKey } from '../support/browser-key.ts'
import { startServer } from '../support/server.ts'
import { createWorld } from './cli.ts'

/** One that starts no server of its own says so. */
function newWorld(env: Record<string, string> = {}, { hasServer = true } = {}) {
  const world = createWorld(env)
  onTestFinished(hasServer ? world.end : world.remove)
  return world
}

/** Another program at a server's address. It hears everything that it is told. */
async function strangerAt(port: number): Promise<{ heard: string[]; server: Server }> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { heard, server }
}

test('[ACCESS4] our own programs use a socket that is the owner’s alone, and no token', async () => {
  const world = newWorld()
  await world.run(['sessions', 'ls'])
  const socket = lstatSync(join(world.home, 'server.sock'))
  expect([socket.isSocket(), socket.mode & 0o777, socket.uid]).toEqual([
    true,
    0o600,
    process.getuid?.(),
  ])
  // Without a token, and with an address that leads nowhere, it still works.
  writeFileSync(join(world.home, 'token'), 'nothing')
  expect(await world.run(['run', '--', 'echo hi'])).toMatchObject({ code: 0, stdout: 'hi\n' })
})

test('[ACCESS4] a stranger at the address of a server that was killed hears nothing of the command line', async () => {
  const server = await startServer()
  onTestFinished(() => server.close())
  const token = readFileSync(join(server.home, 'token'), 'utf8')
  const { port } = new URL(server.url)
  await server.kill()
  const { heard, server: stranger } = await strangerAt(Number(port))
  const world = newWorld({ TANDEM_HOME: server.home }, { hasServer: false })
  expect((await world.run(['sessions', 'ls'])).code).toBe(0)
  expect(heard).toEqual([])
  // Another port, a new link, another token: what was sent to the stranger is worth nothing.
  const info: { url: string } = JSON.parse(readFileSync(join(server.home, 'server.json'), 'utf8'))
  expect(new URL(info.url).port).not.toBe(port)
  expect((await world.run(['web'])).stdout).toContain(info.url)
  expect(readFileSync(join(server.home, 'token'), 'utf8')).not.toBe(token)
  expect((await world.run(['stop'])).code).toBe(0)
  stranger.close()
})

test('[ACCESS4] a data folder with a long path has a socket, too', async () => {
  const deep = join(newWorld({}, { hasServer: false }).folder, 'x'.repeat(100), 'y'.repeat(100))
  mkdirSync(deep, { recursive: true })
  const world = newWorld({ TANDEM_HOME: join(deep, 'data') })
  expect(await world.run(['run', '--', 'echo hi'])).toMatchObject({ code: 0, stdout: 'hi\n' })
  expect(lstatSync(join(deep, 'data', 'server.sock')).isSocket()).toBe(true)
})

test('[ACCESS5] a data folder that is not the user’s alone is refused with what mends it', async () => {
  const world = newWorld()
  mkdirSync(world.home, { mode: 0o700 })
  chmodSync(world.home, 0o777)
  const open = await world.run(['sessions', 'ls'])
  expect(open).toMatchObject({ code: 5, stdout: '' })
  expect(open.stderr).toContain(`Run: chmod 700 '${world.home}'`)
  const serve = await world.run(['serve'])
  expect(serve.stderr).toContain(`Run: chmod 700 '${world.home}'`)
  chmodSync(world.home, 0o700)
  expect((await world.run(['sessions', 'ls'])).code).toBe(0)

  const linked = newWorld({}, { hasServer: false })
  symlinkSync(world.home, linked.home)
  const link = await linked.run(['sessions', 'ls'])
  expect(link.code).toBe(5)
  expect(link.stderr).toContain('is a link. Set TANDEM_HOME to the folder itself.')
  const file = newWorld({}, { hasServer: false })
  writeFileSync(file.home, '')
  expect((await file.run(['sessions', 'ls'])).stderr).toContain('is not a folder')
})

test('[ACCESS5] an address that is not of this machine is not believed', async () => {
  const world = newWorld()
  mkdirSync(world.home, { mode: 0o700 })
  const planted = { url: 'http://192.0.2.1:80', pid: 1, version: '1' }
  writeFileSync(join(world.home, 'server.json'), JSON.stringify(planted))
  expect((await world.run(['sessions', 'ls'])).code).toBe(0)
})

test('[HTTP40] the token stays over a clean end and is another one after a kill; browsers stay', async () => {
  const server = await startServer()
  onTestFinished(() => server.close())
  const secret = new URL((await server.client.call(routes.secret, {})).url).hash.slice(8)
  const { key } = testKey()
  await server.client.call(routes.exchange, { body: { secret, key, name: 'Test 1.0' } })
  const first = server.token
  const ended = new Promise((resolve) => server.process.once('exit', resolve))
  server.process.kill('SIGTERM')
  await ended
  await server.restart()
  expect(server.token).toBe(first)
  await server.restart()
  expect(server.token).not.toBe(first)
  const { browsers } = await server.client.call(routes.browsers, {})
  expect(browsers).toMatchObject([{ name: 'Test 1.0' }])

  const world = newWorld({ TANDEM_HOME: server.home }, { hasServer: false })
  const listed = await world.run(['browsers', 'ls'])
  expect(listed.stdout).toContain('Test 1.0')
  const id = listed.stdout.split(' ')[0] ?? ''
  expect(await world.run(['browsers', 'rm', id])).toMatchObject({ code: 0 })
  expect(await world.run(['browsers', 'rm', id])).toMatchObject({ code: 1 })
  expect((await world.run(['browsers', 'ls'])).stderr).toContain('No browser is signed in')
})
