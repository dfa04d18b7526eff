import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noUsage } from '../../src/log/state.ts'
import { readAnthropic } from '../../src/server/model/anthropic/stream.ts'
import { readGemini } from '../../src/server/model/gemini/stream.ts'
import type { ReplyDelta } from '../../src/server/model/model.ts'
import type { ThoughtNews } from '../../src/server/model/thoughts.ts'
import { wireOf } from '../../src/server/model/wires.ts'
import { callModel } from '../../src/server/session/call-model.ts'
import { allProviders } from './all-providers.ts'
import type { Provider, ProviderServer } from './provider.ts'

describe.each(allProviders)('$name', (provider: Provider) => {
  let server: ProviderServer
  beforeEach(async () => {
    server = await provider.start()
  })
  afterEach(() => server.close())

  test('[VIEW16] thoughts are told as they come, and how long they took', async () => {
    const thought = 'First **this**,\nthen that.'
    server.say({
      parts: [
        { type: 'thinking', text: thought },
        { type: 'text', text: 'So.' },
      ],
      usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 },
    })
    const [dialect = 'tags'] = provider.dialects
    const model = provider.model({ baseUrl: server.baseUrl, dialect })
    const { setup } = model
    const part = { kind: 'prompt', text: 'go', seq: 1 } as const
    const messages = wireOf(setup.adapter).taken(
      { kind: 'taken', seq: 2, parts: [part], gap: false },
      setup,
    )
    const news: ThoughtNews[] = []
    const ending = await callModel({
      model,
      request: { setup, messages, sent: 0 },
      signal: new AbortController().signal,
      onText: () => undefined,
      onThought: (one) => void news.push(one),
      onRetry: () => undefined,
    })
    expect(ending).toMatchObject({ stop: 'done', usage: { input: 10, output: 5 } })
    expect(ending.thoughtMs).toBeGreaterThanOrEqual(0)
    expect(news.map(({ text }) => text).join('')).toBe(thought)
    expect(news.at(-1)?.ms).toBeGreaterThanOrEqual(0)
  })
})

async function* lines(...events: readonly object[]): AsyncIterable<string> {
  for (const event of events) yield JSON.stringify(event)
}

/** All that comes before a stream breaks off. */
async function untilCut(stream: AsyncIterable<ReplyDelta>): Promise<readonly ReplyDelta[]> {
  const deltas: ReplyDelta[] = []
  const read = async () => {
    for await (const delta of stream) deltas.push(delta)
  }
  await expect(read()).rejects.toThrow('cut off')
  return deltas
}

test('[MODEL5] what a provider counted before its stream broke is known', async () => {
  const usage = { input_tokens: 20, cache_read_input_tokens: 80, output_tokens: 1 }
  const start = { type: 'message_start', message: { usage } }
  expect(await untilCut(readAnthropic(lines(start), 'x'))).toEqual([
    { type: 'usage', usage: { ...noUsage, input: 100, output: 1, cacheRead: 80 } },
  ])
  const usageMetadata = { promptTokenCount: 50, thoughtsTokenCount: 7 }
  expect(await untilCut(readGemini(lines({ candidates: [], usageMetadata }), 'x'))).toEqual([
    { type: 'usage', usage: { ...noUsage, input: 50, output: 7 } },
  ])
})
