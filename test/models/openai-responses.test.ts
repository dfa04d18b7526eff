import { afterEach, beforeEach, expect, test } from 'vitest'
import { textOf } from '../../src/protocol/events/message.ts'
import { responsesBody } from '../../src/server/model/openai-responses/request.ts'
import { openaiResponses as wire } from '../../src/server/model/openai-responses/wire.ts'
import { tools } from '../../src/session/calls/tools.ts'
import { encrypt } from './openai-responses-rules.ts'
import { event, itemEvents, message, openaiResponses, startResponses } from './openai-responses.ts'
import { askOnce } from './openai-read.ts'
import type { OpenaiServer } from './openai-server.ts'
import type { ScriptedPart } from './provider.ts'
import { openTalk } from './talk.ts'

let server: OpenaiServer
beforeEach(async () => {
  server = await startResponses()
})
afterEach(() => server.close())

const model = () => openaiResponses.model({ baseUrl: server.baseUrl, dialect: 'tools' })
const prompt = (text = 'hello') => ({ kind: 'prompt', text }) as const
const text = (words: string): ScriptedPart => ({ type: 'text', text: words })
const thinking = (words: string): ScriptedPart => ({ type: 'thinking', text: words })
const call = (id: string): ScriptedPart => ({
  type: 'call',
  id,
  name: 'terminal_execute',
  args: '{ }',
})
const lastInput = () => JSON.parse(server.requests.at(-1)?.body ?? '').input
const thought = (...words: readonly string[]) => ({
  type: 'reasoning',
  summary: words.map((one) => ({ type: 'summary_text', text: one })),
  encrypted_content: encrypt(words.join('\n\n')),
})
const completed = event({
  type: 'response.completed',
  response: { status: 'completed', usage: null },
})

test('[MODEL35] a request stores nothing, asks for encrypted thoughts, and has one cache key for the session', async () => {
  const talk = openTalk(model())
  await talk.ask(prompt())
  await talk.ask(prompt('more'))
  const [first, second] = server.requests.map(({ body }) => JSON.parse(body))
  expect(Object.keys(first)).toEqual([
    'model',
    'stream',
    'store',
    'include',
    'reasoning',
    'prompt_cache_key',
    'instructions',
    'tools',
    'input',
  ])
  expect(first).toMatchObject({
    store: false,
    include: ['reasoning.encrypted_content'],
    instructions: model().setup.system,
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
  })
  expect(second.prompt_cache_key).toBe(first.prompt_cache_key)
  for (const { name, parameters } of tools) {
    expect(first.tools).toContainEqual(
      expect.objectContaining({ type: 'function', name, strict: false }),
    )
    expect(server.requests[0]?.body).toContain(`"parameters":${parameters}}`)
  }
})

test('[MODEL3] thoughts go back as they came, each before what it led to, and without ids', async () => {
  const parts = [
    thinking('one\n\ntwo'),
    text('so'),
    thinking(''),
    call('a'),
    thinking('x'),
    call('b'),
  ]
  server.say({ parts })
  const talk = openTalk(model())
  const first = await talk.ask(prompt())
  expect(first.parts).toMatchObject([
    { type: 'thinking', text: 'one\n\ntwo' },
    { type: 'text', text: 'so' },
    { type: 'thinking', text: '' },
    { type: 'call', id: 'a' },
    { type: 'thinking', text: 'x' },
    { type: 'call', id: 'b' },
  ])
  expect(await talk.ask(...talk.answers('ok'))).toMatchObject({ stop: 'done' })
  const asked = { name: 'terminal_execute', arguments: '{ }' }
  expect(lastInput().slice(1)).toEqual([
    thought('one', 'two'),
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'so', annotations: [] }],
    },
    thought(),
    { type: 'function_call', call_id: 'a', ...asked },
    thought('x'),
    { type: 'function_call', call_id: 'b', ...asked },
    { type: 'function_call_output', call_id: 'a', output: 'ok' },
    { type: 'function_call_output', call_id: 'b', output: 'ok' },
  ])
})

test('[MODEL3] a thought is kept from another model, from another adapter’s reply, and where nothing follows it', async () => {
  server.say({ parts: [thinking('hm'), text('yes'), thinking('and then')] })
  const { parts } = await openTalk(model()).ask(prompt())
  const { setup } = model()
  const write = (adapter: string, name = setup.model) =>
    wire
      .reply({ kind: 'reply', seq: 1, parts, adapter }, { ...setup, model: name })
      .map((item) => JSON.parse(item).type)
  expect(write('openai-responses')).toEqual(['reasoning', 'message'])
  expect(write('openai-responses', 'openai/other')).toEqual(['message'])
  expect(write('gemini')).toEqual(['message'])
})

test('[MODEL51] a message keeps its pieces and its phase', async () => {
  const delta = (content_index: number, words: string) =>
    event({ type: 'response.output_text.delta', output_index: 1, content_index, delta: words })
  const item = { ...message('one', 'two'), phase: 'commentary' }
  const done = event({ type: 'response.output_item.done', output_index: 1, item })
  server.sayBytes(delta(0, 'o') + delta(0, 'ne') + delta(1, 'two') + done + completed)
  const talk = openTalk(model())
  expect(textOf((await talk.ask(prompt())).parts)).toBe('onetwo')
  await talk.ask(prompt())
  const content = ['one', 'two'].map((words) => ({
    type: 'output_text',
    text: words,
    annotations: [],
  }))
  expect(lastInput()[1]).toEqual({
    type: 'message',
    role: 'assistant',
    content,
    phase: 'commentary',
  })
})

test('[MODEL3] a model that does not think is asked without thoughts from then on', async () => {
  const refused = {
    message: 'Encrypted content is not supported with this model.',
    param: 'include',
  }
  server.sayError(400, JSON.stringify({ error: refused }))
  server.say('one', 'two')
  const one = model()
  expect((await askOnce(one)).parts).toMatchObject([{ text: 'one' }])
  expect((await askOnce(one)).parts).toMatchObject([{ text: 'two' }])
  const includes = server.requests.map(({ body }) => JSON.parse(body).include)
  expect(includes).toEqual([['reasoning.encrypted_content'], undefined, undefined])
})

test('[MODEL3] thoughts are asked for in words, unless the model or the account may not give them', async () => {
  const refused = {
    message: 'Your organization must be verified to generate reasoning summaries.',
    param: 'reasoning.summary',
  }
  server.say('one')
  server.sayError(400, JSON.stringify({ error: refused }))
  server.say('two', 'three')
  const one = model()
  for (const text of ['one', 'two', 'three'])
    expect((await askOnce(one)).parts).toMatchObject([{ text }])
  const asked = server.requests.map(({ body }) => JSON.parse(body).reasoning)
  expect(asked).toEqual([{ summary: 'auto' }, { summary: 'auto' }, undefined, undefined])
  // An epoch that was frozen before goes on without.
  const setup = { ...one.setup, renderVersion: 1 }
  const old = { setup, messages: ['{}'], sent: 0 }
  const body = responsesBody({ name: 'x', thinks: true, tells: true }, old)
  expect(JSON.parse(body)).not.toHaveProperty('reasoning')
})

test('[MODEL61] items of a kind that is not known are passed over, whatever they hold', async () => {
  const odd = { type: 'new_call', arguments: { a: 1 }, content: 'x', summary: 7, call_id: 8 }
  server.sayBytes(
    event({ type: 'response.output_item.done', output_index: 0, item: odd }) +
      itemEvents(text('hi'), 1).join('') +
      completed,
  )
  expect(await askOnce(model())).toMatchObject({ parts: [{ text: 'hi' }], end: { stop: 'done' } })
})

test('[MODEL4] a response that is incomplete for a reason that is not known has failed', async () => {
  const incomplete = (reason: string | null) =>
    event({ type: 'response.incomplete', response: { incomplete_details: { reason } } })
  server.sayBytes(itemEvents(text('hi'), 0).join('') + incomplete('max_output_tokens'))
  expect(await askOnce(model())).toMatchObject({ end: { stop: 'length' } })
  server.sayBytes(itemEvents(text('hi'), 0).join('') + incomplete('a_new_reason'))
  expect(await askOnce(model())).toMatchObject({
    parts: [{ text: 'hi' }],
    error: { code: 'model_failed', message: expect.stringContaining('a_new_reason') },
  })
})

test('[MODEL6] a refusal in a response is told in the model’s own words', async () => {
  const refuse = (delta: string) => event({ type: 'response.refusal.delta', delta })
  server.sayBytes(refuse('I can’t ') + refuse('do that.') + completed)
  const { error } = await askOnce(model())
  expect(error).toMatchObject({
    code: 'model_refused',
    message: 'The model would not answer: I can’t do that.',
  })
})

test('[MODEL51] texts come once, whether a server streams them, sends them whole, or closes its items late', async () => {
  const [added = '', ...rest] = itemEvents(text('hello there'), 1)
  const done = rest.at(-1) ?? ''
  const deltas = rest.slice(0, -1).join('')
  const reasoning = { type: 'reasoning', summary: [], encrypted_content: '' }
  const late = event({ type: 'response.output_item.done', output_index: 0, item: reasoning })
  const hm = event({ type: 'response.reasoning_text.delta', delta: 'hm' })
  for (const bytes of [added + deltas + done, done, hm + deltas + late + done]) {
    server.sayBytes(bytes + completed)
    const { parts, end } = await askOnce(model())
    expect(end?.stop).toBe('done')
    expect(parts.filter(({ type }) => type === 'text')).toMatchObject([{ text: 'hello there' }])
  }
})

test('[MODEL6] events that are not known are passed over, and known ones that cannot be read are an error', async () => {
  const unknown = event({ type: 'response.something.new', delta: 7 }) + 'data: ping\n\n'
  server.sayBytes(unknown + itemEvents(text('hi'), 0).join('') + completed)
  expect(await askOnce(model())).toMatchObject({ parts: [{ text: 'hi' }], end: { stop: 'done' } })
  server.sayBytes(event({ type: 'response.output_text.delta', delta: 7 }) + completed)
  expect((await askOnce(model())).error).toMatchObject({ code: 'model_failed' })
})

test.each([
  "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  "Invalid value: 'reasoning'. Supported values are: 'message' and 'function_call'.",
  "Missing required parameter: 'input[3].reasoning_summary'.",
])(
  '[MODEL3] an error about a thought of before is told, and asks for no less: %s',
  async (message) => {
    server.sayError(400, JSON.stringify({ error: { message } }))
    const one = model()
    expect((await askOnce(one)).error?.message).toContain(message.slice(0, 20))
    server.say('again')
    expect((await askOnce(one)).parts).toMatchObject([{ text: 'again' }])
    const asked = server.requests.map(({ body }) => JSON.parse(body).reasoning)
    expect(asked).toEqual([{ summary: 'auto' }, { summary: 'auto' }])
  },
)
