import { afterEach, beforeEach, expect, test } from 'vitest'
import { chatBody } from '../../src/server/model/openai-chat/request.ts'
import { tools } from '../../src/session/calls/tools.ts'
import { chunk, openaiChat, startChat } from './openai-chat.ts'
import { askOnce } from './openai-read.ts'
import { apiKey, type OpenaiServer } from './openai-server.ts'
import type { ScriptedPart } from './provider.ts'
import { openTalk } from './talk.ts'

let server: OpenaiServer
beforeEach(async () => {
  server = await startChat()
})
afterEach(() => server.close())

const model = (dialect: 'tags' | 'tools' = 'tools') =>
  openaiChat.model({ baseUrl: server.baseUrl, dialect })
const prompt = (text = 'hello') => ({ kind: 'prompt', text }) as const
const call = (args: string, id?: string): ScriptedPart => ({
  type: 'call',
  name: 'terminal_execute',
  args,
  ...(id !== undefined && { id }),
})
const lastBody = () => JSON.parse(server.requests.at(-1)?.body ?? '')

/** A stream of these deltas of the first choice, and its end. */
function deltas(list: readonly object[], finish = 'stop'): string {
  const said = list.map((delta) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] }))
  const end = chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }] })
  return [...said, end, 'data: [DONE]\n\n'].join('')
}

test('[MODEL35] a chat request asks for a stream with usage, offers the tools as they were frozen, and sets no limit', async () => {
  await askOnce(model())
  const { path, headers, body } = await server.request(1)
  expect(path).toBe('/v1/chat/completions')
  expect(headers['authorization']).toBe(`Bearer ${apiKey}`)
  const sent = JSON.parse(body)
  expect(Object.keys(sent)).toEqual(['model', 'stream', 'stream_options', 'tools', 'messages'])
  expect(sent).toMatchObject({
    model: 'gpt-test',
    stream: true,
    stream_options: { include_usage: true },
  })
  for (const { parameters } of tools) expect(body).toContain(`"parameters":${parameters}}`)
})

const made = (name: string, args: unknown) => ({ function: { name, arguments: args } })

test.each<[string, readonly object[], readonly (readonly [id: string, args: string])[]]>([
  [
    'in pieces that take turns',
    [
      { index: 0, id: 'a', ...made('x', '{"n"') },
      { index: 1, id: 'b', ...made('x', '') },
      { index: 0, function: { arguments: ':1}' } },
      { index: 1, function: { arguments: '{}' } },
    ],
    [
      ['a', '{"n":1}'],
      ['b', '{}'],
    ],
  ],
  [
    'whole, all with the number 0',
    [
      { index: 0, id: 'a', ...made('x', '{"n":1}') },
      { index: 0, id: 'b', ...made('x', '{"n":2}') },
    ],
    [
      ['a', '{"n":1}'],
      ['b', '{"n":2}'],
    ],
  ],
  [
    'whole, without number and id',
    [made('x', '{"n":1}'), made('x', '{"n":2}')],
    [
      ['', '{"n":1}'],
      ['', '{"n":2}'],
    ],
  ],
  [
    'with id and name in every piece',
    [
      { index: 0, id: 'a', ...made('x', '{"n"') },
      { index: 0, id: 'a', ...made('x', ':1}') },
    ],
    [['a', '{"n":1}']],
  ],
  [
    'in pieces without a number',
    [{ id: 'a', ...made('x', '{"n"') }, { function: { arguments: ':1}' } }],
    [['a', '{"n":1}']],
  ],
  ['with an object for arguments', [{ id: 'a', ...made('x', { n: 1 }) }], [['a', '{"n":1}']]],
  ['without arguments', [{ id: 'a', function: { name: 'x' } }], [['a', '']]],
  ['with null where nothing is', [{ index: null, id: 'a', ...made('x', null) }], [['a', '']]],
])('[MODEL61] calls are put together when a server sends them %s', async (_, pieces, expected) => {
  server.sayBytes(
    deltas(
      pieces.map((piece) => ({ tool_calls: [piece] })),
      'tool_calls',
    ),
  )
  const { parts } = await askOnce(model())
  expect(parts).toEqual(expected.map(([id, args]) => ({ type: 'call', id, name: 'x', args })))
})

test('[MODEL25] a call without an id gets one that no other reply has', async () => {
  for (let n = 0; n < 2; n++)
    server.sayBytes(deltas([{ tool_calls: [made('x', '{}')] }], 'tool_calls'))
  const talk = openTalk(model())
  await talk.ask(prompt())
  await talk.ask(...talk.answers())
  const said = talk.blocks.flatMap((block) => (block.kind === 'reply' ? block.parts : []))
  const ids = said.map((part) => part.type === 'call' && part.id)
  expect(ids).toEqual(['c00000200', 'c00000500'])
})

test.each(['reasoning_content', 'reasoning'])(
  '[MODEL61] what comes as %s is thinking, once, and is not replayed without a call',
  async (name) => {
    const both = { reasoning_content: 'so', reasoning: 'so' }
    server.sayBytes(deltas([{ [name]: 'hm, ' }, both, { content: 'yes' }]))
    const talk = openTalk(model())
    const { parts } = await talk.ask(prompt())
    expect(parts).toMatchObject([
      { type: 'thinking', text: 'hm, so' },
      { type: 'text', text: 'yes' },
    ])
    await talk.ask(prompt())
    expect(lastBody().messages[2]).toEqual({ role: 'assistant', content: 'yes' })
  },
)

test('[MODEL6] a refusal is told in the model’s own words', async () => {
  server.sayBytes(deltas([{ refusal: 'I can’t ' }, { refusal: 'help with that.' }]))
  const { error } = await askOnce(model())
  expect(error).toMatchObject({ code: 'model_refused', transient: false })
  expect(error?.message).toBe('The model would not answer: I can’t help with that.')
})

const hi = chunk({ choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: '' }] })
const stop = chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })

test.each([
  ['a reason alone', hi + stop, 'done'],
  ['[DONE] alone', `${hi}data: [DONE]\n\n`, 'done'],
  ['a reason of its own failure', hi + stop.replace('stop', 'abort'), 'model_cut'],
  ['nothing', hi, 'model_cut'],
])(
  '[MODEL4] of the ends a stream may have, %s is told for what it is',
  async (_, bytes, expected) => {
    server.sayBytes(bytes)
    const { parts, end, error } = await askOnce(model())
    expect(parts).toEqual([{ type: 'text', text: 'hi' }])
    expect(end?.stop ?? error?.code).toBe(expected)
  },
)

test('[MODEL4] a connection that breaks after the end breaks nothing', async () => {
  // A body that promises more than it has.
  server.sayCut(hi + stop)
  expect(await askOnce(model())).toMatchObject({ end: { stop: 'done' }, error: null })
  server.sayCut(hi)
  expect(await askOnce(model())).toMatchObject({ end: null, error: { code: 'model_cut' } })
})

test.each([
  [
    'OpenAI',
    { usage: { prompt_tokens_details: { cached_tokens: 64, cache_write_tokens: 30 } } },
    64,
    30,
  ],
  ['DeepSeek', { usage: { prompt_cache_hit_tokens: 64 } }, 64, 0],
  ['llama.cpp', { usage: {}, timings: { cache_n: 64, prompt_n: 36 } }, 64, 0],
  ['Ollama, which does not say', { usage: {} }, 0, 0],
  ['a server that counts too much', { usage: { prompt_cache_hit_tokens: 999 } }, 100, 0],
])(
  '[MODEL5] cached tokens are read as told by %s',
  async (_, { usage, ...rest }, cacheRead, cacheWrite) => {
    const counted = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107, ...usage }
    server.sayBytes(
      hi + stop + chunk({ choices: [], usage: counted, ...rest }) + 'data: [DONE]\n\n',
    )
    expect((await askOnce(model())).end?.usage).toEqual({
      input: 100,
      output: 7,
      cacheRead,
      cacheWrite,
    })
  },
)

test('[MODEL20] arguments go back as they came, even if they are no JSON', async () => {
  const odd = ['{ "command" :\t"l\\u0073" , "n":1.50 }', '{"command":"ls', 'ls -l', '[1,]\n']
  server.say({ parts: odd.map((args) => call(args)) })
  const talk = openTalk(model())
  const { parts } = await talk.ask(prompt())
  expect(parts).toMatchObject(odd.map((args) => ({ args })))
  expect(await talk.ask(...talk.answers())).toMatchObject({ stop: 'done' })
  const sent = lastBody().messages[2].tool_calls as { function: { arguments: string } }[]
  expect(sent.map((one) => one.function.arguments)).toEqual(odd)
})

test('[MODEL20] a name or arguments that would be refused for ever go back in a form that is not', async () => {
  const pieces = [made('functions.run<|x|>', '{}'), made('', '{"a":1}'), made('x', '')]
  const calls = pieces.map((piece, index) => ({
    tool_calls: [{ index, id: `id${index}`, ...piece }],
  }))
  server.sayBytes(deltas(calls, 'tool_calls'))
  const talk = openTalk(model())
  await talk.ask(prompt())
  expect(await talk.ask(...talk.answers())).toMatchObject({ stop: 'done' })
  const sent = lastBody().messages[2].tool_calls as { function: object }[]
  expect(sent.map((one) => one.function)).toEqual([
    { name: 'functions_run__x__', arguments: '{}' },
    { name: 'unknown', arguments: '{"a":1}' },
    { name: 'x', arguments: '{}' },
  ])
})

test('[MODEL37] a reply of calls alone has null for its content, and what a person ran is a pair of call and answer', async () => {
  server.say({ parts: [call('{"command":"ls"}', 'a')] })
  const talk = openTalk(model())
  await talk.ask(prompt())
  const asked = { name: 'terminal_execute', args: '{"command":"pwd"}' }
  await talk.ask(...talk.answers('one'), { kind: 'record', text: 'two', asked })
  const [, , ...messages] = lastBody().messages
  const [, , pair] = messages
  expect(messages).toMatchObject([
    { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function' }] },
    { role: 'tool', tool_call_id: 'a', content: 'one' },
    { role: 'assistant', content: null, tool_calls: [{ function: { arguments: asked.args } }] },
    { role: 'tool', tool_call_id: pair.tool_calls[0].id, content: 'two' },
  ])
})

test('[MODEL37] a call in the tags dialect is not replayed, since nothing answers it', async () => {
  server.say({ parts: [{ type: 'text', text: 'hm' }, call('{}')] }, { parts: [call('{}')] })
  const talk = openTalk(model('tags'))
  await talk.ask(prompt('one'))
  await talk.ask(prompt('two'))
  expect(await talk.ask(prompt('three'))).toMatchObject({ stop: 'done' })
  expect(lastBody().messages.slice(1)).toEqual([
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'hm' },
    { role: 'user', content: 'two' },
    { role: 'user', content: 'three' },
  ])
})

test('[MODEL54] the cache key is the same for all of a session, differs between sessions, and goes to OpenAI alone', () => {
  const { setup } = model()
  const key = (messages: readonly string[], baseUrl = 'https://api.openai.com/v1') =>
    JSON.parse(chatBody({ name: 'x', baseUrl }, { setup, messages, sent: 0 })).prompt_cache_key
  const first = '{"role":"user","content":"one"}'
  const other = '{"role":"user","content":"two"}'
  expect(key([first])).toMatch(/^[0-9a-f]{32}$/)
  expect(key([first, other])).toBe(key([first]))
  expect(key([other])).not.toBe(key([first]))
  for (const url of ['http://127.0.0.1:11434/v1', 'https://api.openai.com.evil.example/v1'])
    expect(key([first], url)).toBeUndefined()
})

test('[MODEL49] every byte is a sign of life, also of what gives nothing to show yet', async () => {
  const args = 'x'.repeat(200)
  server.cutAt(10)
  server.say({ parts: [call(args)] })
  let heard = 0
  const { setup, reply } = model()
  const { signal } = new AbortController()
  const shown = []
  for await (const delta of reply(
    { setup, messages: ['{"role":"user","content":"hi"}'], sent: 0 },
    { signal, heard: () => heard++ },
  ))
    if (delta.type !== 'usage') shown.push(delta.type)
  expect(shown).toEqual(['call', 'end'])
  expect(heard).toBeGreaterThan(shown.length)
})
