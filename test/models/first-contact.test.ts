import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../src/server/config.ts'
import { createModels, type ModelSettings } from '../../src/server/model/models.ts'
import { chunk, done, json, provider, serve, stream } from './served.ts'
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
