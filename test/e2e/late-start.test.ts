import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

async function open(startFile: string): Promise<{ model: ScriptedModel; server: TestServer }> {
  const model = await startScriptedModel()
  const server = await startServer({
    env: { TANDEM_BASE_URL: model.baseUrl },
    config: { shellStartSeconds: 0.3 },
  })
  onTestFinished(async () => {
    await server.close()
    await model.close()
  })
  writeFileSync(join(server.workspace, '..', '.bashrc'), `${startFile}\n`)
  return { model, server }
}

test('[TERM28] a shell without a prompt is there, and a person’s and a model’s command run when that comes', async () => {
  const { model, server } = await open('while ! [ -e ~/go ]; do sleep 0.02; done')
  const session = await server.session()
  await session.send('!echo mine')
  expect(await session.until('shell_start')).toMatchObject({ integration: 'none' })
  writeFileSync(join(server.workspace, '..', 'go'), '')
  expect(await session.until('tool_response')).toMatchObject({ status: 'done' })
  model.say('<shell>pwd</shell>', 'I saw it.')
  await session.send('where are we?')
  await session.until('agent_end')
  expect(session.all('run_end')).toMatchObject([
    { outcome: 'ended', exitCode: 0 },
    { outcome: 'ended', exitCode: 0 },
  ])
})

test('[TERM28] a command that waits for the first prompt can be stopped, and was not run', async () => {
  const { server } = await open('while ! [ -e ~/go ]; do sleep 0.02; done')
  const session = await server.session()
  await session.send('!touch ~/ran')
  await session.until('run_start')
  await session.interrupt('int')
  expect(await session.until('run_end')).toMatchObject({ outcome: 'not_started' })
})
