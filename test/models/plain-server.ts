import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createModels, type ModelSettings, type ModelsDeps } from '../../src/server/model/models.ts'

/** A server on loopback that answers as the test says, until it ends; the address stands before `/models`. */
export async function startPlain(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}/v1`
}

/** A list of models as OpenAI answers it. */
export const listText = (...names: readonly string[]) =>
  JSON.stringify({ data: names.map((id) => ({ id })) })

const nothing: ModelSettings = { model: null, baseUrl: null, dialect: null, strict: null, env: {} }

/** Models of these settings, once it is known what there is. */
export async function modelsOf(settings: Partial<ModelSettings>, deps: ModelsDeps = {}) {
  const models = await createModels({ ...nothing, ...settings }, deps)
  if (!models.ok) throw new Error(models.error)
  await models.value.settled(5_000)
  return models.value
}
