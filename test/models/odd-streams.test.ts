import type { RequestListener } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { ModelSetup } from '../../src/protocol/events/epoch.ts'
import { openaiChat } from '../../src/server/model/openai-chat/wire.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import type { Part } from '../../src/session/conversation/conversation.ts'
import { ask, chunk, done, json, serve, sse, stream } from './served.ts'

/** Good streams as providers send them, and what goes back to them. */

const called = (piece: object) => ({ tool_calls: [{ index: 0, type: 'function', ...piece }] })

// NVIDIA NIM, LM Studio, MiniMax: anomalyco/opencode#19947, #25786. OpenAI’s SDK passes it on.
test('[MODEL61] a call whose id is a number is one', async () => {
  const made = { id: 12345, function: { name: 'terminal_execute', arguments: '{}' } }
  const { parts, error } = await ask(
    'openai-chat',
    stream(chunk(called(made)), chunk({}, 'tool_calls'), done),
  )
  expect(error).toBeNull()
  expect(parts).toMatchObject([{ type: 'call', id: '12345', name: 'terminal_execute' }])
})

// Fireworks, LM Studio: Portkey-AI/gateway#1629, codexu/note-gen#1226.
test('[MODEL61] a chunk without choices is passed over', async () => {
  const bare = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const answer = stream(chunk({ content: 'hi' }), bare, chunk({}, 'stop'), done)
  expect(await ask('openai-chat', answer)).toMatchObject({ parts: [{ text: 'hi' }], error: null })
})

// xAI: “counted separately from completion_tokens, but counted in the total_tokens”; vercel/ai#12425.
test('[MODEL5] thoughts that xAI counts beside the completion are output, too', async () => {
  const usage = {
    prompt_tokens: 10_120,
    completion_tokens: 1_499,
    total_tokens: 14_428,
    completion_tokens_details: { reasoning_tokens: 2_809 },
  }
  const answer = stream(chunk({ content: 'hi' }), chunk({}, 'stop'), { choices: [], usage }, done)
  const { end: ended } = await ask('openai-chat', answer)
  expect(ended?.usage).toMatchObject({ input: 10_120, output: 4_308 })
})

const start = { type: 'message_start', message: { role: 'assistant', usage: { input_tokens: 1 } } }
const toolUse = (index: number, id: string) => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'tool_use', id, name: 'terminal_execute', input: {} },
})
const input = (index: number, partial_json: string) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json },
})
const stop = (index: number) => ({ type: 'content_block_stop', index })
const end = [
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
]

// Anthropic’s SDK puts blocks together by their index.
test('[MODEL61] blocks that are open at once are put together by their index', async () => {
  const events = [toolUse(0, 'a'), toolUse(1, 'b'), input(0, '{"x":1}'), input(1, '{"y":2}')]
  const { parts } = await ask('anthropic', stream(start, ...events, stop(0), stop(1), ...end))
  expect(parts).toMatchObject([
    { type: 'call', id: 'a', args: '{"x":1}' },
    { type: 'call', id: 'b', args: '{"y":2}' },
  ])
})

// Anthropic’s SDK gives the call: the message ended well, with the reason tool_use.
test('[MODEL61] a call whose block was not closed before the message’s end is not lost without a word', async () => {
  const events = [start, toolUse(0, 'a'), input(0, '{"x":1}'), ...end]
  const { parts, error } = await ask('anthropic', stream(...events))
  if (error === null) expect(parts).toMatchObject([{ type: 'call', id: 'a', args: '{"x":1}' }])
  else expect(error).toMatchObject({ code: 'model_cut' })
})

// Google’s SDK passes over it; servers written in Go, which pass Gemini on, write an empty list so.
test('[MODEL61] a piece of Gemini’s whose candidates are null is passed over', async () => {
  const counted = { candidates: null, usageMetadata: { promptTokenCount: 5 } }
  const said = { candidates: [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }] }
  expect(await ask('gemini', stream(counted, said))).toMatchObject({
    parts: [{ text: 'hi' }],
    error: null,
  })
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('[MODEL4] an answer in %s is read although it was not asked for', async (encoding, pack) => {
  const body = pack(sse(chunk({ content: 'hi' }), chunk({}, 'stop'), done))
  const headers = { 'content-type': 'text/event-stream', 'content-encoding': encoding }
  const whole = await ask('openai-chat', (_, response) =>
    response.writeHead(200, headers).end(body),
  )
  expect(whole).toMatchObject({ parts: [{ text: 'hi' }], error: null })
  const cut = await ask('openai-chat', (_, response) =>
    response.writeHead(200, headers).end(body.subarray(0, -20)),
  )
  expect(cut.error).toMatchObject({ code: 'model_cut', transient: true })
})

/** As a server may that was not told which encodings are taken: RFC 9110, 12.5.3. */
function compressed(body: string, status = 200): RequestListener {
  return ({ headers }, response) => {
    const isPlain = headers['accept-encoding'] === 'identity'
    response.writeHead(status, {
      'content-type': status === 200 ? 'text/event-stream' : 'application/json',
      ...(!isPlain && { 'content-encoding': 'gzip' }),
    })
    response.end(isPlain ? body : gzipSync(body))
  }
}

test('[MODEL4] a server that compresses unless it is told not to is understood', async () => {
  const answer = compressed(sse(chunk({ content: 'hi' }), chunk({}, 'stop'), done))
  expect(await ask('openai-chat', answer)).toMatchObject({ parts: [{ text: 'hi' }], error: null })
})

test('[MODEL6] an error that a server compresses unless it is told not to is understood', async () => {
  const error = { type: 'invalid_request_error', message: 'prompt is too long: 5 tokens > 3' }
  const answer = compressed(JSON.stringify({ type: 'error', error }), 400)
  expect((await ask('anthropic', answer)).error).toMatchObject({ code: 'context_full' })
})

const thought = { text: 'hm', thought: true }

// google-gemini/gemini-cli#10665, deprecated-generative-ai-python#744; OpenAI’s SDK throws at the second.
test.each([
  ['gemini', sse({ candidates: [{ content: {}, finishReason: 'STOP' }] })],
  ['gemini', sse({ candidates: [{ content: { parts: [thought] }, finishReason: 'STOP' }] })],
  ['openai-chat', done],
  ['openai-chat', sse(chunk({ content: '<think>hm</think>\n' }), chunk({}, 'stop'), done)],
] as const)(
  '[MODEL7] a reply of %s without a word or a call is asked for again: %j',
  async (wire, body) => {
    const { error } = await ask(wire, stream(body))
    expect(error).toMatchObject({ code: 'model_failed', transient: true })
    expect(error?.message).toBe('The model’s reply was empty.')
  },
)

// OpenRouter’s own provider joins pieces of text alone; gateways name each by its call: anomalyco/opencode#37708.
test('[MODEL3] the secrets of two calls go back apart', async () => {
  const secret = (id: string, data: string) => ({
    type: 'reasoning.encrypted',
    id,
    data,
    format: 'google-gemini-v1',
    index: 0,
  })
  const both = [secret('call_1', 'AAA'), secret('call_2', 'BBB')]
  const made = { id: 'call_1', function: { name: 'terminal_execute', arguments: '{}' } }
  const { parts } = await ask(
    'openai-chat',
    stream(
      ...both.map((one) => chunk({ reasoning_details: [one] })),
      chunk(called(made)),
      chunk({}, 'tool_calls'),
      done,
    ),
  )
  const setup = setupOf({ model: 'some/model', adapter: 'openai-chat', dialect: 'tools' })
  const reply = {
    kind: 'reply',
    seq: 3,
    parts,
    adapter: 'openai-chat',
    model: 'some/model',
  } as const
  const [message = ''] = openaiChat.reply(reply, setup)
  expect(JSON.parse(message)).toMatchObject({ reasoning_details: both })
})

const foreign = {
  kind: 'reply',
  seq: 3,
  parts: [{ type: 'call', id: 'abcdefghi', name: 'terminal_execute', args: '{"command":"ls"}' }],
  adapter: 'anthropic',
  model: 'anthropic/claude-test',
} as const
const toolsOf = (model: string) => setupOf({ model, adapter: 'openai-chat', dialect: 'tools' })

// “Missing `reasoning_content` field in the assistant message”: DeepSeek’s thinking_mode guide, continuedev/continue#11285.
test('[MODEL3] DeepSeek’s thinking model finds reasoning_content beside the calls of others, too', () => {
  const [message = ''] = openaiChat.reply(foreign, toolsOf('deepseek/deepseek-reasoner'))
  expect(JSON.parse(message)).toHaveProperty('reasoning_content')
})

// “Function call is missing a thought_signature”: Google’s thought-signatures page names the word that stands for one.
test('[MODEL3] Gemini 3 on a compatible endpoint finds a signature beside the calls of others, too', () => {
  const [message = ''] = openaiChat.reply(foreign, toolsOf('vertex/google/gemini-3-pro-preview'))
  expect(message).toContain('skip_thought_signature_validator')
})

// “Unexpected role 'user' after role 'tool'”, code 3230: zed-industries/zed#37021, goose#5998.
test('[MODEL37] what a person did, and then says, is told to Mistral in an order that it takes', () => {
  const asked = { name: 'terminal_execute', args: '{"command":"ls"}' }
  const parts = [
    { kind: 'record', seq: 1, text: '$ ls', asked },
    { kind: 'prompt', seq: 2, text: 'hi' },
  ] as const
  const taken = { kind: 'taken', seq: 3, parts, gap: false } as const
  const messages = openaiChat.taken(taken, toolsOf('mistral/mistral-large-latest'))
  const roles = messages.map((one) => (JSON.parse(one) as { role: string }).role).join(' ')
  expect(roles).not.toContain('tool user')
})

const taken = (parts: readonly Part[], gap: boolean) =>
  ({ kind: 'taken', seq: 3, parts, gap }) as const
const rolesOf = (parts: readonly Part[], gap: boolean, setup: ModelSetup) =>
  openaiChat
    .taken(taken(parts, gap), setup)
    .map((one) => (JSON.parse(one) as { role: string }).role)
    .join(' ')

test('[MODEL37] every result of a call is followed by a reply for Mistral, also where one is not replayed', () => {
  const mistral = toolsOf('mistral/mistral-large-latest')
  const call = foreign.parts[0]
  const answer: Part = { kind: 'record', seq: 1, text: '$ ls', answers: call }
  const prompt: Part = { kind: 'prompt', seq: 2, text: 'hi' }
  expect(rolesOf([answer, prompt, prompt], false, mistral)).toBe('tool assistant user user')
  expect(rolesOf([prompt], true, mistral)).toBe('assistant user')
  expect(rolesOf([answer, answer], false, mistral)).toBe('tool tool')
  expect(rolesOf([answer, prompt], true, toolsOf('openai-chat/gpt-4o'))).toBe('tool user')
})

test('[MODEL1] an epoch of before keeps the shape that its requests were sent in', () => {
  const person: Part = {
    kind: 'record',
    seq: 1,
    text: '$ ls',
    asked: { name: 'terminal_execute', args: '{}' },
  }
  const parts: readonly Part[] = [person, { kind: 'prompt', seq: 2, text: 'hi' }]
  for (const model of ['mistral/m', 'deepseek/deepseek-reasoner', 'vertex/google/gemini-3-pro']) {
    const now = toolsOf(model)
    const old = { ...now, wireVersion: 2 }
    const usual = { ...old, model: 'other/m' }
    expect(openaiChat.taken(taken(parts, true), old)).toEqual(
      openaiChat.taken(taken(parts, true), usual),
    )
    expect(openaiChat.reply(foreign, old)).toEqual(openaiChat.reply(foreign, usual))
    expect(openaiChat.taken(taken(parts, true), now)).not.toEqual(
      openaiChat.taken(taken(parts, true), old),
    )
  }
})

test('[MODEL92] a list on a kept connection that closes as it is taken is asked for again', async () => {
  const { askProvider } = await import('../../src/server/model/list/ask-provider.ts')
  const { createAgents } = await import('../../src/server/model/transport/agents.ts')
  let asked = 0
  const baseUrl = await serve((request, response) => {
    asked++
    if (asked === 2) request.socket.destroy()
    else json(200, { data: [{ id: 'm' }] })(request, response)
  })
  const address = { adapter: 'openai-chat', baseUrl, apiKey: null, agents: createAgents() }
  await askProvider(address)
  expect(await askProvider(address)).toEqual({ models: [{ name: 'm' }], problem: null })
})
