import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createWorld, type World } from './cli.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.end())

test('[CLI45] serve prints an address and commands that work as they stand, without the token', async () => {
  const server = world.start(['serve', '--port', '0'])
  await server.printed('Ctrl+C')
  const session = /^ {2}(session=.*\n {2}curl .*)$/m
  server.process.kill('SIGINT')
  const { code, stdout, stderr } = await server.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+\/#/)
  expect(stdout).toMatch(session)
  expect(stdout).not.toContain(readFileSync(join(world.home, 'token'), 'utf8').trim())
})

test('[CLI45] --json prints exactly one line, and a second serve describes the server that runs', async () => {
  const server = world.start(['serve', '--port', '0', '--json'])
  await server.printed('\n')
  const again = await world.run(['serve', '--json'])
  expect(again.code).toBe(0)
  server.process.kill('SIGINT')
  const { stdout } = await server.ended
  expect(stdout.split('\n')).toHaveLength(2)
  expect(JSON.parse(stdout)).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    token: expect.any(String),
    pid: server.process.pid,
  })
  expect(JSON.parse(again.stdout)).toEqual(JSON.parse(stdout))
})

test('[CLI17] a port in use is one clear sentence and exit 1', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = z.object({ port: z.number() }).parse(other.address())
  const ended = await world.run(['serve', '--port', String(port)])
  other.close()
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(new RegExp(`^tandem: .*${port}.*\\n$`))
})

test('[CLI45] --replace takes over from the running server', async () => {
  const first = world.start(['serve', '--port', '0', '--json'])
  await first.printed('\n')
  const second = world.start(['serve', '--replace', '--json'])
  await second.printed('\n')
  expect((await first.ended).code).toBe(0)
  second.process.kill('SIGINT')
  const { code, stdout } = await second.ended
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ pid: second.process.pid })
})

test('[CLI17] a model that does not exist is a sentence and exit 5', async () => {
  const ended = await world.run(['serve', '--model', 'nobody/nothing'])
  expect(ended).toMatchObject({ code: 5, stdout: '' })
  expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1)
})
