// needs: curl
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createWorld } from './cli.ts'

test('[CLI45] the printed commands make a session in this folder and run git status in it', async () => {
  const world = createWorld()
  onTestFinished(() => world.end())
  const server = world.start(['serve', '--port', '0'])
  let text = ''
  server.process.stdout.on('data', (piece: string) => (text += piece))
  await server.printed('Ctrl+C')
  const commands = text.split('\n').filter((line) => /^ {2}(session=|curl )/.test(line))
  const shell = spawn('/bin/sh', ['-ec', commands.join('\n')], {
    env: world.env,
    cwd: world.folder,
  })
  let answer = ''
  shell.stdout.setEncoding('utf8').on('data', (piece: string) => (answer += piece))
  expect(await once(shell, 'close')).toEqual([0, null])
  expect(JSON.parse(answer)).toEqual({ first: expect.any(Number), head: expect.any(Number) })
  const { stdout } = await world.run(['sessions', 'ls', '--json'])
  expect(JSON.parse(stdout)).toMatchObject([{ workspace: world.folder }])
  server.process.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})
