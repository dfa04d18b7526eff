import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ModelSetup } from '../../src/protocol/events/epoch.ts'
import { createAnthropicModel } from '../../src/server/model/anthropic/request.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { apiKey, startAnthropic } from './anthropic-server.ts'
import { askOnce } from './openai-read.ts'

let server: Awaited<ReturnType<typeof startAnthropic>>
beforeEach(async () => {
  server = await startAnthropic()
})
afterEach(() => server.close())

const setupFor = (name: string) =>
  setupOf({ model: `anthropic/${name}`, adapter: 'anthropic', dialect: 'tools' })

function model(name: string, setup: ModelSetup = setupFor(name)) {
  return createAnthropicModel({ setup, name, who: 'Claude', baseUrl: server.baseUrl, apiKey })
}

const thinkingIn = () => server.requests.map(({ body }) => JSON.parse(body).thinking as unknown)
const summarized = { type: 'adaptive', display: 'summarized' }

test.each([
  'claude-opus-4-6',
  'claude-sonnet-4-6-20260217',
  'claude-opus-4-7',
  'claude-opus-5',
  'claude-fable-5-1',
  'claude-haiku-5-20260901',
])('[MODEL3] %s is asked for a summary of its thoughts', async (name) => {
  server.say({
    parts: [
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'so' },
    ],
  })
  expect(await askOnce(model(name))).toMatchObject({
    error: null,
    parts: [{ type: 'thinking', text: 'hm', opaque: expect.stringContaining('signature') }, {}],
  })
  expect(thinkingIn()).toEqual([summarized])
})

test.each([
  'claude-opus-4-20250514',
  'claude-opus-4-1-20250805',
  'claude-sonnet-4-5',
  'claude-haiku-4-5-20251001',
  'claude-3-7-sonnet-latest',
  'claude-test',
  'kimi-k3',
])('[MODEL3] %s is not asked for thoughts', async (name) => {
  expect((await askOnce(model(name))).error).toBeNull()
  expect(thinkingIn()).toEqual([undefined])
})

test('[MODEL3] an epoch that was opened before is sent what it was sent', async () => {
  const { thinking: _, wireVersion: __, ...old } = setupFor('claude-opus-5')
  expect((await askOnce(model('claude-opus-5', old))).error).toBeNull()
  expect(thinkingIn()).toEqual([undefined])
})

test('[MODEL3] a server that does not know how to be asked is asked without it from then on', async () => {
  const asked = { ...setupFor('claude-test'), thinking: 'summarized' as const }
  const resembling = model('claude-test', asked)
  for (let n = 0; n < 2; n++) expect((await askOnce(resembling)).error).toBeNull()
  expect(thinkingIn()).toEqual([summarized, undefined, undefined])
})

test.each([
  'messages.1.content.0.thinking: each thinking block must contain thinking',
  'messages.1.content.0.thinking.signature: Field required',
  'messages.3: Expected `thinking` or `redacted_thinking`, but found `tool_use`. Note: see the docs',
])(
  '[MODEL3] an error about a thought of before is told, and asks for no less: %s',
  async (message) => {
    const one = model('claude-opus-5')
    server.say({ parts: [], error: { status: 400, message } }, 'again')
    expect((await askOnce(one)).error?.message).toContain(message)
    expect((await askOnce(one)).parts).toMatchObject([{ text: 'again' }])
    expect(thinkingIn()).toEqual([summarized, summarized])
  },
)

test.each([
  'thinking: Extra inputs are not permitted',
  "thinking.type: Input should be 'enabled' or 'disabled'",
  'thinking.adaptive.display: Extra inputs are not permitted',
  'adaptive thinking is not supported on this model',
])(
  '[MODEL3] a server that refuses to be asked for thoughts is asked without: %s',
  async (message) => {
    server.say({ parts: [], error: { status: 400, message } }, 'well')
    expect((await askOnce(model('claude-opus-5'))).parts).toMatchObject([{ text: 'well' }])
    expect(thinkingIn()).toEqual([summarized, undefined])
  },
)
