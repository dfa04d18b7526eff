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
