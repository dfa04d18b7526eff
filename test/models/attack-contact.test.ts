import { expect, test } from 'vitest'
import { createModels, type ModelSettings } from '../../src/server/model/models.ts'
import { chunk, done, json, provider, serve, stream } from './attack.ts'
import { askOnce } from './openai-read.ts'

/** The first minute with a provider: keys, addresses, names. */

const nothing: ModelSettings = { model: null, baseUrl: null, dialect: null, strict: null, env: {} }

async function modelsWith(settings: Partial<ModelSettings>) {
  const models = await createModels({ ...nothing, ...settings })
  if (!models.ok) throw new Error(models.error)
  await models.value.settled(5_000)
  return models.value
}

const list = json(200, { data: [{ id: 'gpt-5.1' }] })
const hello = stream(chunk({ content: 'hi' }), chunk({}, 'stop'), done)

// Google and xAI answer a wrong key with 400, also when they are asked for their list.
test.each([
  ['gemini', { error: { code: 400, message: 'API key not valid. Please pass a valid API key.' } }],
  ['xai', { code: 'Client specified an invalid argument', error: 'Incorrect API key provided' }],
])('[MODEL35] a wrong key of %s is told as that when it is entered', async (id, body) => {
  const baseUrl = await serve(json(400, body))
  const models = await modelsWith({})
  const { says } = await models.add(id, { baseUrl, key: 'wrong' }, { keep: 'if-works' })
  expect(says).toMatch(/key/i)
})

// The SDKs of OpenAI and Anthropic trim what they read from the environment.
test.each(['\n', '\r\n'])(
  '[MODEL35] a key in the environment counts without the %j behind it',
  async (blank) => {
    const open = provider(list, hello)
    const origin = await serve((request, response) => {
      const isRight = request.headers.authorization === 'Bearer right'
      return isRight ? open(request, response) : response.writeHead(401).end()
    })
    const env = { TANDEM_API_KEY: `right${blank}`, TANDEM_BASE_URL: origin }
    const tried = await (await modelsWith({ env })).test('openai-compatible')
    expect(tried).toMatchObject({ works: true })
  },
)

test('[MODEL35] a key with a character that no header takes is told as a wrong key, and not tried again', async () => {
  const env = { TANDEM_API_KEY: '“right”', TANDEM_BASE_URL: await serve(list) }
  const models = await modelsWith({ env })
  const opened = await models.open(models.keep('openai-compatible/m'))
  const said = opened.ok ? (await askOnce(opened.value)).error : opened.error
  expect(typeof said === 'string' ? said : said?.message).toMatch(/key/i)
  if (typeof said !== 'string') expect(said?.transient).toBe(false)
})

test('[MODEL35] a variable that a configuration names and that is not set is told by its name', async () => {
  const providers = { mine: { baseUrl: await serve(json(401, {})), keyEnv: 'MY_KEZ' } }
  const models = await modelsWith({ providers })
  const picked = models.pick('mine/m')
  const said = picked.ok ? (await models.test('mine'))?.says : picked.error
  expect(said).toContain('MY_KEZ')
})

/** `localhost:` is read as the protocol, and what follows as a path at port 80 of this machine. */
test.each(['localhost:8000/v1', 'foo bar'])(
  '[MODEL35] an address like %j is told as wrong, and nothing is sent anywhere',
  async (TANDEM_BASE_URL) => {
    const models = await modelsWith({ env: { TANDEM_BASE_URL } })
    const picked = models.pick('openai-compatible/m')
    const said = picked.ok ? (await models.test('openai-compatible'))?.says : picked.error
    expect(said).toContain('http://')
  },
)

test('[MODEL35] a server cannot take the name of the demo', async () => {
  const baseUrl = await serve(provider(list, hello))
  const { works } = await (
    await modelsWith({})
  ).add('demo', { baseUrl, key: 'right' }, { keep: 'if-works' })
  expect(works).toBe(false)
})

test('[MODEL92] a provider that refuses its key is not what a first session talks to while another works', async () => {
  const models = await modelsWith({
    env: {
      GEMINI_API_KEY: 'expired',
      GOOGLE_GEMINI_BASE_URL: await serve(json(403, { error: { code: 403, message: 'no' } })),
      OPENAI_API_KEY: 'right',
      OPENAI_BASE_URL: await serve(provider(list, hello)),
    },
  })
  expect(models.initial().model).toBe('openai/gpt-5.1')
})
