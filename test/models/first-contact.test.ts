import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../src/server/config.ts'
import { createModels, type ModelSettings } from '../../src/server/model/models.ts'
import { chunk, done, json, provider, serve, stream } from './served.ts'
import { askOnce } from './openai-read.ts'
import { createSignal } from '../support/signal.ts'
import { tempFolder } from '../support/temp.ts'

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

/** The sentence that refuses a configuration; empty: it is taken. */
async function refusalOf(config: object): Promise<string> {
  const { path, remove } = await tempFolder()
  onTestFinished(remove)
  mkdirSync(join(path, 'tandem'))
  writeFileSync(join(path, 'tandem', 'config.json'), JSON.stringify(config))
  try {
    readConfig({}, { HOME: path, XDG_CONFIG_HOME: path, SHELL: '/bin/sh' })
    return ''
  } catch (error) {
    return String(error)
  }
}

test('[MODEL35] a name that no provider can have is told with how names are', async () => {
  const baseUrl = 'http://127.0.0.1:1/v1'
  expect(await refusalOf({ providers: { 'My Server': { baseUrl } } })).toContain('small letters')
})

test('[MODEL35] the one address of a configuration is looked at like those of providers', async () => {
  expect(await refusalOf({ baseUrl: 'localhost:8000/v1' })).toMatch(/http:\/\//)
})

// Most servers that OPENAI_BASE_URL is pointed at speak chat completions alone.
test('[MODEL6] a server that knows no responses is told with the provider that speaks to it in chat', async () => {
  const open = provider(list, hello)
  const origin = await serve((request, response) =>
    request.url?.endsWith('/responses')
      ? json(404, { detail: 'Not Found' })(request, response)
      : open(request, response),
  )
  const models = await modelsWith({ env: { OPENAI_API_KEY: 'right', OPENAI_BASE_URL: origin } })
  const tried = await models.test('openai')
  if (tried?.works !== true) expect(tried?.says).toContain('openai-chat')
})

// Ollama and LM Studio send no header before a model is loaded, which takes longer than a test call waits.
test('[MODEL35] a server that has listed its models and is still loading one is not told to be at a wrong address', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const asked = createSignal()
  let isAsked = false
  const quiet = () => {
    isAsked = true
    asked.fire()
  }
  const baseUrl = await serve(provider(list, quiet))
  const models = await createModels({ ...nothing, providers: { mine: { baseUrl } } })
  if (!models.ok) throw new Error(models.error)
  const trying = models.value.test('mine')
  await asked.until(() => isAsked)
  vi.advanceTimersByTime(20_000)
  expect((await trying)?.says).not.toContain('Is its address right?')
})

test('[MODEL35] a server whose address lacks its version is told with it, listed or asked', async () => {
  const baseUrl = await serve(json(404, { error: 'not found' }))
  const models = await modelsWith({})
  const listed = await models.add('mine', { baseUrl }, { keep: 'if-works' })
  expect(listed.says).toContain(`${baseUrl}/v1`)
  const asked = await models.add('mine', { baseUrl, models: ['m'] }, { keep: 'if-works' })
  expect(asked.says).toContain(`${baseUrl}/v1`)
  const whole = await models.add('mine', { baseUrl: `${baseUrl}/v1` }, { keep: 'if-works' })
  expect(whole.says).not.toContain('Does its address end')
})

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
