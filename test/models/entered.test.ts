import { expect, test } from 'vitest'
import { listText, modelsOf, startPlain } from './plain-server.ts'

/** A server that remembers the headers of what it is asked, and works. */
async function startWorking(...names: readonly string[]) {
  const heard: string[] = []
  const baseUrl = await startPlain((request, answer) => {
    heard.push(JSON.stringify(request.headers))
    if (request.url?.endsWith('/models') === true) return void answer.end(listText(...names))
    answer.setHeader('content-type', 'text/event-stream')
    const chunk = { choices: [{ index: 0, delta: { content: 'ready' }, finish_reason: 'stop' }] }
    answer.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  })
  return { baseUrl, heard: () => heard.join('\n') }
}

const always = { keep: 'always' } as const

test('[MODEL35] headers of a configuration are sent to its own address, and to none that was entered', async () => {
  const [own, other] = [await startWorking('m'), await startWorking('m')]
  const headers = { 'x-gateway-token': 'gateway-secret' }
  const models = await modelsOf({ providers: { mine: { baseUrl: own.baseUrl, headers } } })
  expect(await models.test('mine')).toMatchObject({ works: true })
  expect(own.heard()).toContain('gateway-secret')
  expect(await models.add('mine', { baseUrl: other.baseUrl }, always)).toMatchObject({
    works: true,
  })
  expect(other.heard()).not.toContain('gateway-secret')
  // The same address, entered once more, is still its own.
  expect(await models.add('mine', { baseUrl: own.baseUrl }, always)).toMatchObject({ works: true })
  await models.remove('mine')
  expect(await models.test('mine')).toMatchObject({ works: true })
})

test('[MODEL35] an address that was entered goes before the one of a configuration', async () => {
  const [own, other] = [await startWorking('a'), await startWorking('b')]
  const models = await modelsOf({ baseUrl: own.baseUrl })
  const tried = await models.add('openai-compatible', { baseUrl: other.baseUrl }, always)
  expect(tried).toMatchObject({ works: true, model: 'openai-compatible/b' })
})

test('[MODEL35] adding a provider again forgets models that were named for it before, where it lists its own', async () => {
  const [listing, moved] = [await startWorking('new'), await startWorking('there')]
  const models = await modelsOf({})
  const entry = { baseUrl: listing.baseUrl, models: ['typo'] }
  await models.add('mine', entry, always)
  expect(await models.add('mine', { key: 'k' }, always)).toMatchObject({ model: 'mine/new' })
  await models.add('mine', entry, always)
  const elsewhere = await models.add('mine', { baseUrl: moved.baseUrl }, always)
  expect(elsewhere).toMatchObject({ works: true, model: 'mine/there' })
})

test('[MODEL35] a server without a list keeps the models that were named for it, also with another key', async () => {
  const baseUrl = await startPlain((_, answer) => void answer.writeHead(404).end())
  const models = await modelsOf({})
  await models.add('mine', { baseUrl, models: ['named'] }, always)
  expect(await models.add('mine', { key: 'k' }, always)).toMatchObject({ model: 'mine/named' })
})

test('[MODEL35] a key that may not list models is told as that; whether it is right, a model’s answer tells', async () => {
  const baseUrl = await startPlain((request, answer) => {
    answer.statusCode = request.url?.endsWith('/models') === true ? 403 : 200
    answer.setHeader('content-type', 'text/event-stream')
    const chunk = { choices: [{ index: 0, delta: { content: 'ready' }, finish_reason: 'stop' }] }
    answer.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  })
  const models = await modelsOf({})
  const entry = { baseUrl, key: 'narrow-key' }
  expect(await models.add('mine', entry, { keep: 'if-works' })).toEqual({
    works: false,
    says: 'mine cannot be asked which models it has: It answered 403: this key may not list its models. Name one of its models too.',
    model: null,
  })
  const named = await models.add('mine', { ...entry, models: ['m'] }, { keep: 'if-works' })
  expect(named).toMatchObject({ works: true, model: 'mine/m' })
})

test.each(['the-key\r\n', '  the-key\t'])(
  '[MODEL35] blanks around a key in a variable are not part of it: %j',
  async (value) => {
    const { baseUrl, heard } = await startWorking('m')
    const mine = { baseUrl, keyEnv: 'MINE' }
    const models = await modelsOf({ env: { MINE: value }, providers: { mine } })
    expect(await models.test('mine')).toMatchObject({ works: true })
    expect(heard()).toContain('"Bearer the-key"')
  },
)

test('[MODEL35] a variable that holds no key is told by its name, and what is in it is not', async () => {
  const { baseUrl, heard } = await startWorking('m')
  const mine = { baseUrl, keyEnv: 'MINE', models: ['m'] }
  const models = await modelsOf({ env: { MINE: 'two words' }, providers: { mine } })
  expect(await models.test('mine')).toEqual({
    works: false,
    says: 'The variable with the key of mine (MINE) holds no key: a key has no blanks and only plain characters.',
    model: 'mine/m',
  })
  expect(heard()).toBe('')
})
