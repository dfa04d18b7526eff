import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { EnteredProvider } from '../../src/protocol/provider.ts'
import { openKeyStore } from '../../src/server/model/keys/key-store.ts'
import { createModels, type ModelSettings } from '../../src/server/model/models.ts'
import { presetProviders } from '../../src/server/model/book/presets.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { tempFolder } from '../support/temp.ts'
import { askOnce } from './openai-read.ts'
import { openaiChat } from './openai-chat.ts'
import { apiKey } from './openai-server.ts'

const nothing: ModelSettings = { model: null, baseUrl: null, dialect: null, strict: null, env: {} }

async function openModels(settings: Partial<ModelSettings> = {}) {
  const temp = await tempFolder()
  onTestFinished(temp.remove)
  const file = join(temp.path, 'credentials.json')
  const keys = await openKeyStore(file)
  const models = await createModels({ ...nothing, ...settings }, { keys })
  if (!models.ok) throw new Error(models.error)
  await models.value.settled(5_000)
  return { folder: temp.path, file, models: models.value }
}

async function startServer() {
  const server = await openaiChat.start()
  onTestFinished(() => server.close())
  return server
}

type Opened = Awaited<ReturnType<typeof openModels>>['models']

async function say(models: Opened, model: string) {
  const picked = models.pick(model)
  if (!picked.ok) throw new Error(picked.error)
  const opened = await models.open(picked.value)
  if (!opened.ok) throw new Error(opened.error)
  return askOnce(opened.value)
}

test('[MODEL35] a key that is entered is tried at once, kept in a private file, and counts without a restart', async () => {
  const server = await startServer()
  const { models, file } = await openModels()
  expect(models.initial().model).toBe('demo/offline')
  const entry = { baseUrl: server.baseUrl, models: ['gpt-4o'] }
  const wrong = await models.add('mine', { ...entry, key: 'wrong' }, { keep: 'if-works' })
  expect(wrong).toMatchObject({ works: false, says: expect.stringMatching(/Is the key right\?$/) })
  expect(models.pick('mine/gpt-4o').ok).toBe(false)
  const right = await models.add('mine', { ...entry, key: apiKey }, { keep: 'if-works' })
  expect(right).toEqual({
    works: true,
    says: 'mine works: mine/gpt-4o answers.',
    model: 'mine/gpt-4o',
  })
  expect(models.initial().model).toBe('mine/gpt-4o')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  server.say('hi')
  expect(await say(models, 'mine/gpt-4o')).toMatchObject({ parts: [{ text: 'hi' }] })
  // Another key is another model, also for one that was open.
  await models.add('mine', { key: 'revoked' }, { keep: 'always' })
  expect(await say(models, 'mine/gpt-4o')).toMatchObject({ error: { code: 'model_auth' } })
  expect(await models.remove('mine')).toBe(true)
  expect(await models.remove('mine')).toBe(false)
  expect(models.initial().model).toBe('demo/offline')
  expect(readFileSync(file, 'utf8')).not.toContain('revoked')
})

test('[MODEL35] a session whose provider was removed keeps its model’s name, and is told that there is no such provider', async () => {
  const { models } = await openModels({ model: 'demo/offline' })
  const epoch = { adapter: 'anthropic', dialect: 'tools' } as const
  const kept = models.keep('gone/m', epoch)
  expect(kept).toMatchObject({ model: 'gone/m', ...epoch })
  expect(await models.open(kept)).toMatchObject({
    ok: false,
    error: expect.stringContaining('There is no provider "gone".'),
  })
})

test('[MODEL35] a chosen model that lacks its key can be given it later; one of no provider is refused at once', async () => {
  const { models } = await openModels({ model: 'openai/gpt-4o' })
  const lacking = { ok: false, error: expect.stringContaining('OpenAI needs a key') }
  expect(models.pick('openai/gpt-4o')).toMatchObject(lacking)
  expect(await models.open(models.initial())).toMatchObject(lacking)
  const entry = { baseUrl: 'http://127.0.0.1:9/v1', key: 'k', models: ['gpt-4o'] }
  await models.add('openai', entry, { keep: 'always' })
  expect(models.pick('openai/gpt-4o').ok).toBe(true)
  expect((await createModels({ ...nothing, model: 'nobody/x' })).ok).toBe(false)
})

test('[MODEL35] what was entered is there for the next server; a file that others can read is not', async () => {
  const temp = await tempFolder()
  onTestFinished(temp.remove)
  const file = join(temp.path, 'credentials.json')
  const store = await openKeyStore(file)
  await Promise.all([store.set('a', { key: 'k1' }), store.set('b', { key: 'k2' })])
  expect([...(await openKeyStore(file)).all().keys()].sort()).toEqual(['a', 'b'])
  const evil = '{"providers":{"evil":{"keyCommand":"id"}}}'
  writeFileSync(file, evil)
  const damaged = await openKeyStore(file)
  expect([...damaged.all().keys()]).toEqual([])
  // What a person may still mend is not written over.
  expect(damaged.problem).toContain(file)
  await expect(damaged.set('a', { key: 'k' })).rejects.toThrow(/Mend or remove it/)
  expect(readFileSync(file, 'utf8')).toBe(evil)
  chmodSync(file, 0o644)
  const open = await openKeyStore(file)
  await expect(open.set('a', { key: 'k' })).rejects.toThrow(/chmod 600/)
  rmSync(file)
  await open.set('a', { key: 'k' })
  expect([...(await openKeyStore(file)).all().keys()]).toEqual(['a'])
})

test('[MODEL35] any number of servers stand beside each other, each with its own key, from a variable, a file or a command', async () => {
  const server = await startServer()
  const temp = await tempFolder()
  onTestFinished(temp.remove)
  mkdirSync(join(temp.path, 'secrets'))
  const keyFile = join(temp.path, 'secrets', 'key')
  writeFileSync(keyFile, `${apiKey}\n`)
  const shared = { baseUrl: server.baseUrl, models: ['m'] }
  const { models } = await openModels({
    env: { WORK_KEY: apiKey },
    commandEnv: { PATH: process.env['PATH'] ?? '' },
    providers: {
      work: { ...shared, keyEnv: 'WORK_KEY', headers: { 'x-team': 'blue' } },
      file: { ...shared, keyFile },
      chain: { ...shared, keyCommand: `printf '%s\\nsecond line' ${apiKey}` },
      broken: { ...shared, keyCommand: 'echo do-not-tell; exit 3' },
    },
  })
  for (const name of ['work', 'file', 'chain']) {
    server.say(`from ${name}`)
    expect(await say(models, `${name}/m`)).toMatchObject({ parts: [{ text: `from ${name}` }] })
  }
  expect(server.requests[0]?.headers['x-team']).toBe('blue')
  expect(await models.test('broken')).toEqual({
    works: false,
    says: 'The command for the key of broken failed (exit 3).',
    model: 'broken/m',
  })
  const listed = await models.list()
  expect(listed.map(({ provider }) => provider)).toEqual(
    expect.arrayContaining(['work', 'file', 'chain', 'broken', 'demo']),
  )
})

test('[MODEL35] a key is sent to the address that it was set up for, and to no other', async () => {
  const [server, other] = [await startServer(), await startServer()]
  const env = { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: server.baseUrl }
  const { models } = await openModels({ env })
  const elsewhere = { baseUrl: other.baseUrl, models: ['m'] }
  const moved = await models.add('openai', elsewhere, { keep: 'if-works' })
  expect(moved).toMatchObject({
    works: false,
    says: 'OpenAI needs a key: tandem models add openai',
  })
  await models.add(
    'mine',
    { baseUrl: server.baseUrl, key: apiKey, models: ['m'] },
    { keep: 'always' },
  )
  expect(await models.add('mine', elsewhere, { keep: 'if-works' })).toMatchObject({ works: false })
  expect(JSON.stringify(other.requests)).not.toContain(apiKey)
})

test('[MODEL35] of a preset a key, and for some an address, is enough; before that it is not told of', async () => {
  const server = await startServer()
  const { models } = await openModels({ env: { AZURE_OPENAI_BASE_URL: server.baseUrl } })
  const told = async () => (await models.list()).map(({ provider }) => provider)
  for (const { id } of presetProviders) expect(await told()).not.toContain(id)
  const tried = await models.add('azure', { key: apiKey, models: ['house'] }, { keep: 'if-works' })
  expect(tried).toMatchObject({ works: true, model: 'azure/house' })
  expect(await told()).toContain('azure')
  const lacking = await models.add('bedrock', { key: 'k' }, { keep: 'if-works' })
  expect(lacking).toMatchObject({ works: false, says: expect.stringContaining('address') })
})

test('[MODEL35] an address with a user or a password in it is refused with a sentence', () => {
  const said = (baseUrl: string) => EnteredProvider.safeParse({ baseUrl }).error?.issues[0]?.message
  for (const address of ['https://u:p@host/v1', 'http://u@host'])
    expect(said(address)).toMatch(/no user and password/)
  expect(said('https://host/v1/@scope?at=a@b')).toBeUndefined()
})

test('[MODEL37] compatible servers in tags get user and assistant in turn, unless a setting says otherwise', async () => {
  const model = await startScriptedModel()
  onTestFinished(() => model.close())
  const adapterOf = async (settings: Partial<ModelSettings>, name = 'house/m') => {
    const providers = {
      house: { baseUrl: model.baseUrl },
      plain: { baseUrl: model.baseUrl, strictAlternation: false },
    }
    const { models } = await openModels({ model: 'demo/offline', providers, ...settings })
    const picked = models.pick(name)
    return picked.ok ? `${picked.value.adapter} ${picked.value.dialect}` : picked.error
  }
  expect(await adapterOf({})).toBe('openai-chat-strict tags')
  expect(await adapterOf({}, 'plain/m')).toBe('openai-chat tags')
  expect(await adapterOf({ strict: false })).toBe('openai-chat tags')
  expect(await adapterOf({ dialect: 'tools' })).toBe('openai-chat tools')
  expect(await adapterOf({ strict: true, dialect: 'tools' })).toBe('openai-chat-strict tags')
  expect(await adapterOf({ env: { OPENAI_API_KEY: 'k' } }, 'openai-chat/o9')).toBe(
    'openai-chat tags',
  )
})

test('[CMD6] a model is picked in the dialect that the session speaks, where it can', async () => {
  const env = { ANTHROPIC_API_KEY: 'k' }
  const { models } = await openModels({ model: 'demo/offline', env })
  const picked = (name: string, spoken: 'tags' | 'tools' | null) => models.pick(name, spoken)
  expect(picked('anthropic/claude-x', null)).toMatchObject({ value: { dialect: 'tools' } })
  expect(picked('anthropic/claude-x', 'tags')).toMatchObject({
    value: { dialect: 'tags', tools: [] },
  })
  expect(picked('ollama/m', 'tools')).toMatchObject({
    value: { dialect: 'tools', adapter: 'openai-chat' },
  })
  expect(picked('demo/offline', 'tools')).toMatchObject({ value: { dialect: 'tags' } })
})
