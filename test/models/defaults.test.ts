import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { askProvider, type ProviderList } from '../../src/server/model/list/ask-provider.ts'
import { chooseModel, presumedModel } from '../../src/server/model/list/choose-model.ts'
import { endedWarnings, knownModels } from '../../src/server/model/list/known-models.ts'
import { createModelLists } from '../../src/server/model/list/model-lists.ts'
import { createModels } from '../../src/server/model/models.ts'
import { createAgents } from '../../src/server/model/transport/agents.ts'
import { providers } from '../../src/server/model/providers.ts'
import { askOnce } from './openai-read.ts'

const patternsOf = (id: string) => providers.find((one) => one.id === id)?.patterns ?? []
const day = '2026-11-18'

test.each([
  [
    'anthropic',
    ['claude-opus-4-8', 'claude-sonnet-4-5-20250929', 'claude-sonnet-4-6', 'claude-haiku-4-5'],
    'claude-sonnet-4-6',
  ],
  ['anthropic', ['claude-sonnet-4-20250514', 'claude-sonnet-4-5'], 'claude-sonnet-4-5'],
  ['anthropic', ['claude-sonnet-7-20280101', 'claude-sonnet-7'], 'claude-sonnet-7'],
  ['anthropic', ['claude-haiku-9', 'claude-opus-9'], 'claude-opus-9'],
  [
    'gemini',
    ['gemini-2.5-pro', 'gemini-3.1-pro-preview', 'gemini-9-flash'],
    'gemini-3.1-pro-preview',
  ],
  ['gemini', ['gemini-4-pro-preview-05-06', 'gemini-4-pro'], 'gemini-4-pro'],
  ['gemini', ['gemini-2.5-flash-lite', 'gemini-flash-latest'], 'gemini-flash-latest'],
  ['openai', ['gpt-5', 'gpt-5.2', 'gpt-5.2-pro', 'gpt-6-mini'], 'gpt-5.2'],
  ['openai', ['gpt-10', 'gpt-9.9'], 'gpt-10'],
  ['openai', ['gpt-5.2', 'gpt-6-luna', 'gpt-6-sol', 'gpt-7-mini', 'gpt-7-codex'], 'gpt-6-sol'],
  ['openai', ['gpt-5.2', 'gpt-6', 'gpt-6-2026-01-01', 'gpt-6-sol'], 'gpt-6'],
  ['openai', ['o9', 'house-model'], 'o9'],
])(
  '[MODEL92] the default of %s is the newest of the best family that is there',
  (id, names, wanted) => {
    const models = names.map((name) => ({ name }))
    expect(chooseModel(models, { provider: id, patterns: patternsOf(id), day })).toBe(wanted)
  },
)

test('[MODEL92] ∀ a default is one of the list, whatever stands there, and none where nothing does', () => {
  const name = fc.oneof(
    fc.constantFrom(...knownModels.map((known) => known.name)),
    fc.stringMatching(/^(claude-(sonnet|opus)|gpt|gemini)-[0-9.a-z-]{1,12}$/),
    fc.string({ minLength: 1 }),
  )
  const id = fc.constantFrom('anthropic', 'gemini', 'openai', 'ollama')
  fc.assert(
    fc.property(fc.array(name), id, (names, provider) => {
      const models = names.map((one) => ({ name: one }))
      const chosen = chooseModel(models, { provider, patterns: patternsOf(provider), day })
      if (names.length === 0) expect(chosen).toBe(null)
      else expect(names).toContain(chosen)
    }),
  )
})

test('[MODEL92] one that is past its announced end is the default only where there is nothing else', () => {
  const options = { provider: 'openai', patterns: patternsOf('openai') }
  const both = [{ name: 'gpt-5' }, { name: 'gpt-4.1' }]
  expect(chooseModel(both, { ...options, day: '2026-12-11' })).toBe('gpt-5')
  expect(chooseModel(both, { ...options, day: '2026-12-12' })).toBe('gpt-4.1')
  expect(chooseModel([{ name: 'gpt-5' }], { ...options, day: '2099-01-01' })).toBe('gpt-5')
  expect(presumedModel('ollama', day)).toBe(null)
})

test('[MODEL92] the table’s entries are warned of from the day after their end', () => {
  const table = [
    { provider: 'openai', name: 'gpt-x', ends: '2030-05-31' },
    { provider: 'openai', name: 'gpt-y' },
  ] as const
  expect(endedWarnings('2030-05-31', table)).toEqual([])
  expect(endedWarnings('2030-06-01', table)).toEqual([expect.stringContaining('gpt-x')])
})

async function startList(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer)
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

test('[MODEL92] all pages of a list are read, with the sizes that it tells', async () => {
  const anthropic = await startList((request, response) => {
    const after = new URL(request.url ?? '', 'http://x').searchParams.get('after_id')
    const page =
      after === null
        ? {
            data: [{ id: 'a', max_input_tokens: 200, max_tokens: 20 }],
            has_more: true,
            last_id: 'a',
          }
        : { data: [{ id: 'b' }], has_more: false, last_id: 'b' }
    response.end(JSON.stringify(page))
  })
  const address = { adapter: 'anthropic', baseUrl: anthropic, apiKey: 'k' }
  expect(await askProvider(address)).toEqual({
    models: [{ name: 'a', context: 200, output: 20 }, { name: 'b' }],
    problem: null,
  })
  const gemini = await startList((request, response) => {
    const token = new URL(request.url ?? '', 'http://x').searchParams.get('pageToken')
    const model = { name: `models/gemini-${token ?? 'first'}`, inputTokenLimit: 9 }
    const models = [{ ...model, supportedGenerationMethods: ['generateContent'] }]
    response.end(JSON.stringify({ models, ...(token === null && { nextPageToken: 'second' }) }))
  })
  const listed = await askProvider({ adapter: 'gemini', baseUrl: gemini, apiKey: 'k' })
  expect(listed.models).toEqual([
    { name: 'gemini-first', context: 9 },
    { name: 'gemini-second', context: 9 },
  ])
})

test('[MODEL92] a list that breaks off in time is none, and what stands in its way is told as such', async () => {
  const slow = await startList((_, response) => void response.write('{"data":[{"id":"a"}]}'))
  const address = { adapter: 'openai-chat', baseUrl: slow, apiKey: null }
  const none = { models: [], problem: 'It cannot be reached.' }
  expect(await askProvider(address, 300)).toEqual(none)
  const agents = createAgents({ env: { http_proxy: 'socks5://127.0.0.1:9' } })
  const proxied = await askProvider({ ...address, baseUrl: 'http://far.example', agents })
  expect(proxied.problem).toMatch(/proxy/i)
})

test('[MODEL92] a list is asked for once at a time, is old after a while, and is then used until the new one is there', async () => {
  let at = 0
  const answers: ((list: ProviderList) => void)[] = []
  const lists = createModelLists({
    now: () => at,
    ask: () => new Promise((resolve) => void answers.push(resolve)),
  })
  const address = { adapter: 'openai-chat', baseUrl: 'http://x', apiKey: null }
  const both = [lists.get('x', address), lists.get('x', address)]
  expect(answers).toHaveLength(1)
  const old = { models: [{ name: 'old' }], problem: null }
  answers[0]?.(old)
  expect(await Promise.all(both)).toEqual([old, old])
  at = 11 * 60_000
  expect(await lists.get('x', address)).toEqual(old)
  expect(answers).toHaveLength(2)
  const asked = lists.fresh('x', address)
  answers[1]?.({ models: [{ name: 'new' }], problem: null })
  expect((await asked).models).toEqual([{ name: 'new' }])
  expect(lists.known('x')?.models).toEqual([{ name: 'new' }])
  // Another key may see other models.
  void lists.get('x', { ...address, apiKey: 'other' })
  expect(answers).toHaveLength(3)
})

test('[MODEL92] a model that is not there is answered with those that are', async () => {
  const baseUrl = await startList((request, response) => {
    if (request.url?.endsWith('/models') === true)
      return void response.end(JSON.stringify({ data: [{ id: 'gpt-6' }, { id: 'gpt-6-mini' }] }))
    response.statusCode = 404
    response.end(JSON.stringify({ error: { message: 'The model does not exist' } }))
  })
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: baseUrl }
  const models = await createModels({
    model: null,
    baseUrl: null,
    dialect: null,
    strict: null,
    env,
  })
  if (!models.ok) throw new Error(models.error)
  await models.value.settled(5_000)
  expect(models.value.initial().model).toBe('openai/gpt-6')
  const picked = models.value.pick('openai/gpt-gone')
  if (!picked.ok) throw new Error(picked.error)
  const opened = await models.value.open(picked.value)
  if (!opened.ok) throw new Error(opened.error)
  const { error } = await askOnce(opened.value)
  expect(error).toMatchObject({
    code: 'model_config',
    message: expect.stringMatching(
      /There are: openai\/gpt-6, openai\/gpt-6-mini\. Take one with: \/model openai\/gpt-6$/,
    ),
  })
})

test('[MODEL92] a default that the provider does not list is not shown', async () => {
  const baseUrl = await startList(
    (_, response) => void response.end('{"data":[{"id":"gpt-9-nano"}]}'),
  )
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: baseUrl }
  const models = await createModels({
    model: null,
    baseUrl: null,
    dialect: null,
    strict: null,
    env,
  })
  if (!models.ok) throw new Error(models.error)
  const openai = (await models.value.list()).find(({ provider }) => provider === 'openai')
  expect(openai).toMatchObject({ reachable: true, models: ['openai/gpt-9-nano'] })
})
