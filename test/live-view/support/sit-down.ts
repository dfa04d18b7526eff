import { onTestFinished } from 'vitest'
import type { ShellName } from '../../../src/protocol/events/shell.ts'
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import type { TestSession } from '../../support/session.ts'
import { openViewer, type TestViewer } from './viewer.ts'

interface World {
  model: ScriptedModel
  server: TestServer
  session: TestSession
  viewer: TestViewer
}

/** Somebody sits at the terminal of a session. */
export async function sitDown(shell: ShellName = 'bash'): Promise<World> {
  const model = await startScriptedModel()
  const server = await startServer({ env: { TANDEM_BASE_URL: model.baseUrl, TANDEM_SHELL: shell } })
  onTestFinished(async () => {
    await server.close()
    await model.close()
  })
  const session = await server.session()
  const viewer = await openViewer(server, session.id)
  await session.until('shell_start')
  return { model, server, session, viewer }
}
