import { afterAll, beforeAll } from 'vitest'
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts'
import { startServer, type TestServer, type TestServerOptions } from './server.ts'

/** A server and the scripted model that it talks to. */
export interface World {
  model: ScriptedModel
  server: TestServer
}

/** A world for all tests of a file, from before the first until after the last. */
export function useWorld(options: TestServerOptions = {}): World {
  let world: World & { close(): Promise<void> }
  beforeAll(async () => {
    world = await startWorld(options)
  })
  afterAll(() => world.close())
  return {
    get model() {
      return world.model
    },
    get server() {
      return world.server
    },
  }
}

/** Only the server, for tests in which no model is asked. */
export function useServer(options: TestServerOptions = {}): { readonly server: TestServer } {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer(options)
  })
  afterAll(() => server.close())
  return {
    get server() {
      return server
    },
  }
}

/** A world for one test, which closes it. */
export async function startWorld({ env, ...options }: TestServerOptions = {}): Promise<
  World & { close(): Promise<void> }
> {
  const model = await startScriptedModel()
  const server = await startServer({ ...options, env: { TANDEM_BASE_URL: model.baseUrl, ...env } })
  return {
    model,
    server,
    async close() {
      await server.close()
      await model.close()
    },
  }
}
