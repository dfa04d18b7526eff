import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../support/server.ts'
import { tempFolder } from '../support/temp.ts'

test('[MODEL35] Stop ends the command that a key is waited for from, and what that started', async () => {
  const temp = await tempFolder()
  const pipe = join(temp.path, 'pipe')
  execFileSync('mkfifo', [pipe])
  // The pipe ends when the last process that holds it is gone.
  const keyCommand = `exec 3>'${pipe}'; echo started >&3; sleep 50; sleep 50`
  const mine = { baseUrl: 'http://127.0.0.1:9/v1', keyCommand }
  const server = await startServer({ config: { model: 'mine/m', providers: { mine } } })
  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(reader, 'exit')
  onTestFinished(async () => {
    reader.kill('SIGKILL')
    await server.close()
    await temp.remove()
  })
  const session = await server.session()
  await session.send('hello')
  await once(reader.stdout, 'data')
  await session.abort()
  expect(await session.until('agent_end')).toMatchObject({ reason: 'aborted' })
  const at = performance.now()
  await ended
  expect(performance.now() - at).toBeLessThan(10_000)
  session.close()
})
