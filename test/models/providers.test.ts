import { expect, onTestFinished, test } from 'vitest'
import { createModels } from '../../src/server/model/models.ts'
import { providers } from '../../src/server/model/providers.ts'
import { allProviders } from './all-providers.ts'
import { askOnce } from './openai-read.ts'
import { keyOf } from './server-env.ts'

const rows = providers.filter(({ id }) => id !== 'demo')

/** A server's models when its environment has these variables; nothing is asked before one is picked. */
async function modelsWith(env: Readonly<Record<string, string>>) {
  const settings = { model: 'demo/offline', baseUrl: null, dialect: null, strict: false }
  const models = await createModels({ ...settings, env })
  if (!models.ok) throw new Error(models.error)
  return models.value
}

test('[MODEL35] no two providers have the same id', () => {
  const ids = providers.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

test.each(rows)(
  '[MODEL35] $id is asked at the address and with the key that its variables hold',
  async ({ id, adapter, keys, baseUrlName }) => {
    const scripted = allProviders.find(({ name }) => name === adapter)
    if (!scripted) throw new Error(`no scripted server in test/models speaks ${adapter}`)
    const server = await scripted.start()
    onTestFinished(() => server.close())
    const [key] = keys
    const models = await modelsWith({
      [baseUrlName]: server.baseUrl,
      ...(key !== undefined && { [key]: keyOf(adapter) }),
    })
    const setup = models.pick(`${id}/test`)
    if (!setup.ok) throw new Error(setup.error)
    const model = await models.open(setup.value)
    if (!model.ok) throw new Error(model.error)
    server.say('hi')
    const { parts, error } = await askOnce(model.value)
    // A row without a key gets as far as the scripted server's refusal: it came to the right address.
    if (key === undefined) expect(error).toMatchObject({ code: 'model_auth' })
    else expect(parts).toMatchObject([{ type: 'text', text: 'hi' }])
    expect(server.requests).toHaveLength(1)
  },
)

test.each(rows.filter(({ needsKey }) => needsKey))(
  '[MODEL35] without its key $id names the variables that may hold it',
  async ({ id, label, keys }) => {
    expect((await modelsWith({})).pick(`${id}/test`)).toEqual({
      ok: false,
      error: `${label} needs a key: set ${keys.join(' or ')}. Or: tandem models add ${id}`,
    })
  },
)
