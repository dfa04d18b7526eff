import { afterEach, beforeEach, expect, test } from 'vitest'
import { openaiChat as wire } from '../../src/server/model/openai-chat/wire.ts'
import { chunk, openaiChat, startChat } from './openai-chat.ts'
import { askOnce } from './openai-read.ts'
import type { OpenaiServer } from './openai-server.ts'
import { openTalk } from './talk.ts'

/** Ways in which servers that resemble OpenAI’s differ from it. */

let server: OpenaiServer
beforeEach(async () => {
  server = await startChat()
})
afterEach(() => server.close())

const model = (dialect: 'tags' | 'tools' = 'tools') =>
  openaiChat.model({ baseUrl: server.baseUrl, dialect })
const delta = (said: object, more: object = {}) =>
  chunk({ choices: [{ index: 0, delta: said, finish_reason: null }], ...more })
const end = (reason: string) =>
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }) + 'data: [DONE]\n\n'
const call = {
  tool_calls: [
    { index: 0, id: 'abcdefghi', function: { name: 'terminal_execute', arguments: '{}' } },
  ],
}

test('[MODEL6] an error beside choices is an error, and one that is null is none', async () => {
  const error = { code: 502, message: 'Provider disconnected unexpectedly' }
  server.sayBytes(delta({ content: 'half' }) + delta({ content: '' }, { error }) + end('stop'))
  expect(await askOnce(model())).toMatchObject({
    parts: [{ text: 'half' }],
    error: {
      code: 'model_failed',
      message: expect.stringContaining('disconnected'),
      transient: true,
    },
  })
  server.sayBytes(delta({ content: 'all' }, { error: null }) + end('stop'))
  expect(await askOnce(model())).toMatchObject({ parts: [{ text: 'all' }], error: null })
})

test('[MODEL61] details of a thought are put together, and go back beside the calls to the model that had it', async () => {
  const text = (said: string) => ({ type: 'reasoning.text', text: said, index: 0, format: 'x' })
  const details = (...reasoning_details: readonly object[]) => delta({ reasoning_details })
  const secret = { type: 'reasoning.encrypted', data: 'e1', id: 'abcdefghi', index: 1 }
  server.sayBytes(
    details(text('let me ')) +
      details({ ...text('see'), signature: null }) +
      details({ ...text(''), signature: 's1' }) +
      delta({ content: 'so' }) +
      delta({ ...call, reasoning_details: [secret] }) +
      end('tool_calls'),
  )
  const talk = openTalk(model())
  const { parts } = await talk.ask({ kind: 'prompt', text: 'hi' })
  const whole = [{ ...text('let me see'), signature: 's1' }, secret]
  expect(parts).toMatchObject([
    { type: 'thinking', text: 'let me see' },
    { type: 'text', text: 'so' },
    { type: 'thinking', text: '' },
    { type: 'call', id: 'abcdefghi' },
  ])
  await talk.ask(...talk.answers())
  const { messages } = JSON.parse(server.requests.at(-1)?.body ?? '') as { messages: object[] }
  expect(messages[2]).toMatchObject({ content: 'so', reasoning_details: whole })
  const { setup } = model()
  const reply = talk.blocks.find((block) => block.kind === 'reply')
  if (reply === undefined) throw new Error('no reply')
  expect(wire.reply({ ...reply, model: 'openrouter/other' }, setup).join('')).not.toContain('s1')
})

test.each([
  ['stop', 'done'],
  ['tool_calls', 'done'],
  ['function_call', 'done'],
  ['eos', 'done'],
  ['STOP', 'done'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['max_tokens', 'length'],
  ['CONTINUATION', 'length'],
])('[MODEL4] a chat that finished by %s is %s', async (reason, stop) => {
  server.sayBytes(delta({ content: 'so' }) + delta(call) + end(reason))
  expect(await askOnce(model())).toMatchObject({ end: { stop }, error: null })
})

test.each([
  ['a_new_reason', 'model_failed', 'a_new_reason'],
  ['insufficient_system_resource', 'model_overloaded', 'insufficient_system_resource'],
  ['error', 'model_cut', ''],
])('[MODEL4] a chat that finished by %s runs nothing', async (reason, code, words) => {
  server.sayBytes(delta({ content: 'so' }) + delta(call) + end(reason))
  const { parts, error } = await askOnce(model())
  expect(parts).toEqual([{ type: 'text', text: 'so' }])
  expect(error).toMatchObject({ code, message: expect.stringContaining(words) })
})

test('[MODEL4] [DONE] is the end of a chat that gives no reason', async () => {
  server.sayBytes(delta({ content: 'so' }) + delta(call) + 'data: [DONE]\n\n')
  expect(await askOnce(model())).toMatchObject({
    parts: [{ text: 'so' }, { type: 'call', id: 'abcdefghi' }],
    end: { stop: 'done' },
  })
})

test('[MODEL61] content as a list is read as its texts and thoughts, and what is not known is passed over', async () => {
  const thinking = [
    { type: 'text', text: 'hm' },
    { type: 'new', x: 1 },
  ]
  const list = [
    { type: 'thinking', thinking },
    { type: 'text', text: 'so' },
    { type: 'reference', reference_ids: [1] },
  ]
  server.sayBytes(
    delta({ content: list }) +
      delta({ content: [{ type: 'text', text: ' it is' }] }) +
      delta({ content: { a: 1 } }) +
      end('stop'),
  )
  expect((await askOnce(model())).parts).toEqual([
    { type: 'thinking', text: 'hm' },
    { type: 'text', text: 'so it is' },
  ])
})

test('[MODEL35] a server that refuses stream_options is asked without them from then on', async () => {
  const detail = [
    {
      type: 'extra_forbidden',
      loc: ['body', 'stream_options'],
      msg: 'Extra inputs are not permitted',
    },
  ]
  server.sayError(422, JSON.stringify({ object: 'error', message: { detail } }))
  server.say('one', 'two')
  const one = model()
  for (const text of ['one', 'two']) expect((await askOnce(one)).parts).toMatchObject([{ text }])
  const asked = server.requests.map(({ body }) => 'stream_options' in JSON.parse(body))
  expect(asked).toEqual([true, false, false])
})

test('[MODEL3] reasoning_content, and what a server adds to a call, go back beside the calls they led to', async () => {
  const extra_content = { google: { thought_signature: 'c2ln' } }
  const signed = { tool_calls: [{ ...call.tool_calls[0], extra_content }] }
  server.sayBytes(
    delta({ reasoning_content: 'let ' }) +
      delta({ reasoning_content: 'me see' }) +
      delta({ content: 'so' }) +
      delta(signed) +
      end('tool_calls'),
  )
  server.sayBytes(delta({ reasoning_content: 'well' }) + delta({ content: 'done' }) + end('stop'))
  const talk = openTalk(model())
  await talk.ask({ kind: 'prompt', text: 'go' })
  await talk.ask(...talk.answers())
  await talk.ask({ kind: 'prompt', text: 'more' })
  const { messages } = JSON.parse(server.requests.at(-1)?.body ?? '')
  expect(messages[2]).toEqual({
    role: 'assistant',
    content: 'so',
    reasoning_content: 'let me see',
    tool_calls: [
      {
        id: 'abcdefghi',
        type: 'function',
        function: { name: 'terminal_execute', arguments: '{}' },
        extra_content,
      },
    ],
  })
  // A thought that led to no call is not asked for again.
  expect(messages[4]).toEqual({ role: 'assistant', content: 'done' })
})

test('[MODEL3] another model is not shown what only its server understands', async () => {
  const other = openaiChat.model({ baseUrl: server.baseUrl, dialect: 'tools' })
  server.sayBytes(delta({ reasoning_content: 'hm' }) + delta(call) + end('tool_calls'))
  const talk = openTalk({ ...other, setup: { ...other.setup, model: 'openai-chat/other' } })
  await talk.ask({ kind: 'prompt', text: 'go' })
  const reply = talk.blocks.find((block) => block.kind === 'reply')
  if (reply?.kind !== 'reply') throw new Error('no reply was kept')
  expect(wire.reply(reply, model().setup).join()).not.toContain('reasoning_content')
  expect(wire.reply(reply, { ...model().setup, model: 'openai-chat/other' }).join()).toContain(
    'reasoning_content',
  )
})
