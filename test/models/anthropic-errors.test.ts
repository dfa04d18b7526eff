import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAnthropicModel } from '../../src/server/model/anthropic/request.ts'
import { ModelError } from '../../src/server/model/model.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { messageEnd, messageStart, partEvents, type StreamEvent } from './anthropic-events.ts'
import { type Block, type Body, createBinding, refusalOf, sign } from './anthropic-rules.ts'
import { type AnthropicServer, apiKey, startAnthropic } from './anthropic-server.ts'
import type { ScriptedReply } from './provider.ts'

let server: AnthropicServer
beforeEach(async () => {
  server = await startAnthropic()
})
afterEach(() => server.close())

const setup = setupOf({ model: 'anthropic/claude-test', adapter: 'anthropic', dialect: 'tools' })
const hello = '{"role":"user","content":[{"type":"text","text":"hello"}]}'
const hi = partEvents({ type: 'text', text: 'hi' }, 0)

/** What the reply throws, or how it ends. */
async function ending(key: string | null = apiKey) {
  const options = { setup, name: 'claude-test', who: 'Anthropic', baseUrl: server.baseUrl }
  const { reply } = createAnthropicModel({ ...options, apiKey: key })
  const { signal } = new AbortController()
  try {
    for await (const delta of reply({ setup, messages: [hello], sent: 0 }, { signal }))
      if (delta.type === 'end') return delta
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const { code, transient, retryAfterMs, message } = error
    return { code, transient, retryAfterMs, message }
  }
  throw new Error('the reply has no end')
}

test.each([
  [401, 'invalid x-api-key', { code: 'model_auth', transient: false }],
  [403, 'no access', { code: 'model_auth', transient: false }],
  [404, 'model: claude-x', { code: 'model_config', transient: false }],
  [413, 'Request exceeds the maximum size', { code: 'context_full', transient: false }],
  [400, 'prompt is too long: 210000 tokens > 200000 maximum', { code: 'context_full' }],
  [
    400,
    'input length and `max_tokens` exceed context limit: 199 + 8 > 200',
    { code: 'context_full' },
  ],
  [400, 'Your credit balance is too low', { code: 'model_failed', transient: false }],
  [429, 'rate limit', { code: 'model_overloaded', transient: true }],
  [500, 'Internal server error', { code: 'model_failed', transient: true }],
  [529, 'Overloaded', { code: 'model_overloaded', transient: true }],
])('[MODEL6] HTTP %i "%s" is told as what it means', async (status, message, expected) => {
  server.say({ parts: [], error: { status, message, retryAfter: '7' } })
  const found = await ending()
  expect(found).toMatchObject({ ...expected, retryAfterMs: 7_000 })
  expect(found).toHaveProperty('message', expect.stringContaining(message))
})

test('[MODEL6] a key that is wrong or missing is asked about', async () => {
  const expected = { code: 'model_auth', message: expect.stringContaining('Is the key right?') }
  expect(await ending('other')).toMatchObject(expected)
  expect(await ending(null)).toMatchObject(expected)
})

test.each([
  ['overloaded_error', 'Overloaded', { code: 'model_overloaded', transient: true }],
  ['rate_limit_error', 'slow down', { code: 'model_overloaded', transient: true }],
  ['api_error', 'Internal server error', { code: 'model_failed', transient: true }],
  ['timeout_error', 'too slow', { code: 'model_failed', transient: true }],
  ['invalid_request_error', 'bad', { code: 'model_failed', transient: false }],
  ['invalid_request_error', 'prompt is too long', { code: 'context_full', transient: false }],
  ['request_too_large', 'big', { code: 'context_full', transient: false }],
  ['authentication_error', 'key expired', { code: 'model_auth', transient: false }],
  ['permission_error', 'no', { code: 'model_auth', transient: false }],
  ['new_error', 'what', { code: 'model_failed', transient: true }],
])('[MODEL6] the event %s "%s" means the same as its status', async (type, message, expected) => {
  server.sayEvents(messageStart(), ...hi, { type: 'error', error: { type, message } })
  expect(await ending()).toMatchObject({ ...expected, message: expect.stringContaining(message) })
})

const usage = { input: 1_200, output: 34, cacheRead: 1_000, cacheWrite: 150 }

test.each([
  ['end_turn', { stop: 'done', usage }],
  ['stop_sequence', { stop: 'done', usage }],
  ['tool_use', { stop: 'done', usage }],
  ['pause_turn', { stop: 'done', usage }],
  ['max_tokens', { stop: 'length', usage }],
  ['refusal', { code: 'model_refused', message: expect.stringContaining('scripted refusal') }],
  ['model_context_window_exceeded', { code: 'context_full', transient: false }],
  ['new_reason', { code: 'model_failed', message: expect.stringContaining('new_reason') }],
])('[MODEL6] a reply that stops with %s ends as what it means', async (reason, expected) => {
  server.sayEvents(messageStart({ usage }), ...hi, ...messageEnd(reason, { usage }))
  expect(await ending()).toMatchObject(expected)
})

test('[MODEL6] input counts what was read from and written to the cache, and later numbers replace earlier', async () => {
  const later = { input_tokens: 60, cache_read_input_tokens: null, output_tokens: 9 }
  const [delta, stop] = messageEnd('end_turn') as [StreamEvent, StreamEvent]
  server.sayEvents(messageStart({ usage }), ...hi, { ...delta, usage: later }, stop)
  expect(await ending()).toMatchObject({
    usage: { input: 60 + 1_000 + 150, output: 9, cacheRead: 1_000, cacheWrite: 150 },
  })
})

test.each<[string, Partial<ScriptedReply> | { events: readonly StreamEvent[] }]>([
  ['breaks off', { ending: 'cut' }],
  ['closes without an end', { ending: 'endless' }],
  ['is empty', { events: [] }],
  ['lacks its last event', { events: [messageStart(), ...hi, messageEnd('end_turn')[0]!] }],
  ['has no reason', { events: [messageStart(), ...hi, { type: 'message_stop' }] }],
])('[MODEL6] a stream that %s is a reply cut off', async (_, script) => {
  if ('events' in script) server.sayEvents(...script.events)
  else server.say({ parts: [{ type: 'text', text: 'hi' }], ...script })
  expect(await ending()).toMatchObject({ code: 'model_cut', transient: true })
})

test('[MODEL6] events and pieces that are not known are passed over, broken ones are an error', async () => {
  const odd = { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', x: 1 } }
  const known = [messageStart(), hi[0]!, odd, ...hi.slice(1), ...messageEnd('end_turn')]
  server.sayEvents({ type: 'new_event', much: 1 }, ...known)
  expect(await ending()).toMatchObject({ stop: 'done' })
  server.sayEvents(messageStart(), { type: 'content_block_start' })
  expect(await ending()).toMatchObject({ code: 'model_failed', transient: false })
})

test('[MODEL61] a block of a kind that is not known is passed over, whatever it holds', async () => {
  const block = { type: 'web_search_tool_result', id: 7, text: null, content: [{ url: 'x' }] }
  server.sayEvents(
    messageStart(),
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta: { type: 'new_delta', text: { a: 1 } } },
    { type: 'content_block_stop', index: 0 },
    ...hi,
    ...messageEnd('end_turn'),
  )
  expect(await ending()).toMatchObject({ stop: 'done' })
})

const text = (words: string): Block => ({ type: 'text', text: words })
const use = (id: string): Block => ({ type: 'tool_use', id, name: 'n', input: {} })
const result = (id: string): Block => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [text('r')],
})
const thinking: Block = { type: 'thinking', thinking: 't', signature: sign('t') }
const marked = { ...text('x'), cache_control: { type: 'ephemeral' } }

/** The turns of a conversation: the person’s first. */
function bodyOf(...turns: readonly (readonly Block[])[]): Body {
  return {
    model: 'm',
    max_tokens: 1,
    stream: true,
    tools: [{ name: 'n', input_schema: { type: 'object' } }],
    messages: turns.map((content, index) => ({ role: index % 2 ? 'assistant' : 'user', content })),
  }
}

test.each<[string, Body]>([
  ['without `tool_result`', bodyOf([text('a')], [use('1')], [text('b')])],
  ['without `tool_result`', bodyOf([text('a')], [use('1'), use('2')], [result('1')])],
  ['unexpected `tool_use_id`', bodyOf([text('a')], [text('b')], [result('1')])],
  ['must come first', bodyOf([text('a')], [use('1')], [text('b'), result('1')])],
  ['ids must be unique', bodyOf([text('a')], [use('1')], [result('1')], [use('1')], [result('1')])],
  ['must be non-empty', bodyOf([text('')])],
  ['no low surrogate', bodyOf([text('half \ud83d')])],
  ['non-whitespace', bodyOf([text('a')], [text(' \n')], [text('b')])],
  ['non-empty content', bodyOf([])],
  ['`signature`', bodyOf([text('a')], [{ ...thinking, thinking: 'x' }, text('b')], [text('c')])],
  ['cannot be `thinking`', bodyOf([text('a')], [text('b'), thinking], [text('c')])],
  ['prefill', bodyOf([text('a')], [text('b')])],
  [
    'first message',
    { ...bodyOf([text('a')]), messages: [{ role: 'assistant', content: [text('a')] }] },
  ],
  ['maximum of 4', bodyOf([marked, marked, marked, marked, marked])],
  ['should match pattern', bodyOf([text('a')], [use('ä')], [result('ä')])],
  ['must define tools', { ...bodyOf([text('a')], [use('1')], [result('1')]), tools: [] }],
])('[MODEL36] the scripted server refuses as the real one does: %s', (words, body) => {
  expect(refusalOf(body)).toContain(words)
})

test('[MODEL36] it refuses a thought that comes back after something else', () => {
  const binding = createBinding()
  binding.bind(bodyOf([text('a')]), [thinking, text('b')])
  const after = (first: string) => bodyOf([text(first)], [thinking, text('b')], [text('c')])
  expect(binding.refusalOf(after('a'))).toBe(null)
  expect(refusalOf(after('a'))).toBe(null)
  expect(binding.refusalOf(after('x'))).toContain('different conversation')
})
