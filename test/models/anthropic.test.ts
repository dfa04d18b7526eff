import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../../src/protocol/limits.ts'
import { textOf } from '../../src/protocol/events/message.ts'
import { createReplyAssembly } from '../../src/server/model/assemble-reply.ts'
import { readAnthropic } from '../../src/server/model/anthropic/stream.ts'
import { answerOf } from './answer.ts'
import { sseData } from '../../src/server/model/transport/sse.ts'
import { wireOf } from '../../src/server/model/wires.ts'
import { blockEvents, eventText, messageEnd, messageStart, partEvents } from './anthropic-events.ts'
import { sign } from './anthropic-rules.ts'
import { type AnthropicServer, apiKey, startAnthropic } from './anthropic-server.ts'
import { anthropic } from './anthropic.ts'
import type { ScriptedPart } from './provider.ts'
import { openTalk } from './talk.ts'

let server: AnthropicServer
beforeEach(async () => {
  server = await startAnthropic()
})
afterEach(() => server.close())

const modelOf = (dialect: 'tags' | 'tools' = 'tools') =>
  anthropic.model({ baseUrl: server.baseUrl, dialect })
const open = (dialect?: 'tags' | 'tools') => openTalk(modelOf(dialect))
const prompt = (text = 'hello') => ({ kind: 'prompt', text }) as const
const text = (words: string): ScriptedPart => ({ type: 'text', text: words })
const call = (id: string, args = '{"command":"ls"}'): ScriptedPart => ({
  type: 'call',
  name: 'terminal_execute',
  id,
  args,
})
const messages = () => JSON.parse(server.requests.at(-1)?.body ?? '').messages as unknown[]
const withoutMarks = () => anthropic.items(server.requests.at(-1)?.body ?? '').slice(1)

const odd =
  '  \t lead\r\n\u2028 zero\u200bwidth \u{1f469}\u200d\u{1f4bb} “q” <b>&amp;</b> \\n trail \n\n'
const rawArgs = '{ "command" :\t"echo \\u00e9 \\"x\\"  ", "timeout":1.50 ,"timeout":1e2}'

test('[MODEL35] a request goes to /v1/messages with key, version, model and room for the reply', async () => {
  await open().ask(prompt())
  const { path, headers, body } = await server.request(1)
  expect(path).toBe('/v1/messages')
  expect(headers).toMatchObject({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' })
  expect(body).toMatch(/^\{"model":"claude-test","max_tokens":32000,"stream":true,"tools":\[/)
  expect(JSON.parse(body)).not.toHaveProperty('thinking')
})

const parts = [{ type: 'thinking', text: odd } as const, text(odd), call('a', rawArgs)]
const asRead = [
  { type: 'thinking', text: odd, opaque: JSON.stringify({ signature: sign(odd) }) },
  { type: 'text', text: odd },
  { type: 'call', name: 'terminal_execute', id: 'a', args: rawArgs },
]

test('[MODEL4] cut at any byte, a stream gives the same text, thoughts, signatures and arguments', async () => {
  const events = [messageStart(), ...parts.flatMap(partEvents), ...messageEnd('tool_use')]
  const bytes = Buffer.from(events.map(eventText).join(''))
  const read = async (...chunks: readonly Buffer[]) => {
    const assembly = createReplyAssembly()
    for await (const delta of readAnthropic(sseData(answerOf(chunks)), 'Anthropic'))
      if (delta.type !== 'end') assembly.add(delta)
    return assembly.parts()
  }
  for (let at = 0; at <= bytes.length; at++)
    expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(asRead)
  expect(await read(...Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(asRead)
})

test('[MODEL4] cut into pieces on the network, it gives the same', async () => {
  for (const sizes of [[], [3], [7, 1, 13], [1_000]]) {
    server.cutAt(...sizes)
    server.say({ parts })
    expect((await open().ask(prompt())).parts).toEqual(asRead)
  }
})

test('[MODEL20] odd text and oddly spaced arguments are replayed byte for byte', async () => {
  server.say({ parts: [text(odd), call('a', rawArgs)] })
  const talk = open()
  await talk.ask(prompt(odd))
  await talk.ask(...talk.answers(odd))
  const json = JSON.stringify
  expect(withoutMarks()).toEqual([
    `{"role":"user","content":[{"type":"text","text":${json(odd)}}]}`,
    `{"role":"assistant","content":[{"type":"text","text":${json(odd)}},` +
      `{"type":"tool_use","id":"a","name":"terminal_execute","input":${rawArgs}}]}`,
    `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":${json(odd)}}]}]}`,
  ])
})

test('[MODEL20] arguments that are no object go back inside one, and none are an empty one', async () => {
  const halves = '{"command":"\\ud83d x"}'
  const pair = '{"command":"\\ud83d\\ude00 \\\\ud83d"}'
  server.say({
    parts: [
      call('a', ''),
      call('b', '{"command":'),
      call('c', '[1]'),
      call('d', halves),
      call('e', pair),
    ],
  })
  const talk = open()
  await talk.ask(prompt())
  expect(await talk.ask(...talk.answers())).toMatchObject({ stop: 'done' })
  const inputs = /"input":(.*?)\}(?=,\{"type":"tool_use"|\]\})/g
  expect([...(withoutMarks()[1] ?? '').matchAll(inputs)].map(([, input]) => input)).toEqual([
    '{}',
    '{"invalid":"{\\"command\\":"}',
    '{"invalid":"[1]"}',
    JSON.stringify({ invalid: halves }),
    pair,
  ])
})

test('[MODEL3] thoughts are replayed in their places, signed, also those that are not shown', async () => {
  server.sayEvents(
    messageStart(),
    ...partEvents({ type: 'thinking', text: 'seen' }, 0),
    ...partEvents({ type: 'thinking', text: '' }, 1),
    ...blockEvents(2, { type: 'redacted_thinking', data: 'c2VjcmV0' }, []),
    ...partEvents(text('so'), 3),
    ...partEvents({ type: 'thinking', text: 'and then' }, 4),
    ...partEvents(call('a'), 5),
    ...messageEnd('tool_use'),
  )
  const talk = open()
  await talk.ask(prompt())
  expect(await talk.ask(...talk.answers())).toMatchObject({ stop: 'done' })
  expect(messages()[1]).toEqual({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'seen', signature: sign('seen') },
      { type: 'thinking', thinking: '', signature: sign('') },
      { type: 'redacted_thinking', data: 'c2VjcmV0' },
      { type: 'text', text: 'so' },
      { type: 'thinking', thinking: 'and then', signature: sign('and then') },
      { type: 'tool_use', id: 'a', name: 'terminal_execute', input: { command: 'ls' } },
    ],
  })
})

test('[MODEL45] what would be refused is left out: unsigned and others’ thoughts, blank texts, a thought at the end, a call among tags', () => {
  const { setup } = modelOf()
  const opaque = JSON.stringify({ signature: 's' })
  const parts = [
    { type: 'thinking', text: 'mine', opaque } as const,
    { type: 'thinking', text: 'unsigned' } as const,
    { type: 'thinking', text: 'unreadable', opaque: 'x' } as const,
    { type: 'text', text: ' \n\u0085\u001c' } as const,
    { type: 'text', text: 'so' } as const,
    { type: 'thinking', text: 'last', opaque } as const,
  ]
  const reply = (adapter: string, list = parts) =>
    wireOf('anthropic').reply(
      { kind: 'reply', seq: 1, parts: list, adapter, model: `${adapter}/claude-test` },
      setup,
    )
  const mine = '{"type":"thinking","thinking":"mine","signature":"s"},'
  const so = '{"type":"text","text":"so"}'
  expect(reply('anthropic')).toEqual([`{"role":"assistant","content":[${mine}${so}]}`])
  expect(reply('gemini')).toEqual([`{"role":"assistant","content":[${so}]}`])
  expect(reply('anthropic', parts.slice(0, 4))).toEqual([])
  const call = { type: 'call', id: 'a', name: 'x', args: '{}' } as const
  const block = { kind: 'reply', seq: 1, parts: [...parts, call], adapter: 'gemini' } as const
  expect(wireOf('anthropic').reply(block, modelOf('tags').setup)).toEqual(reply('gemini'))
})

test('[MODEL26] all results of a reply stand in one message, first and in their order', async () => {
  server.say({ parts: [call('a'), call('b')] })
  const talk = open()
  await talk.ask(prompt())
  await talk.ask(...talk.answers('r'), { kind: 'record', text: '[facts]' }, prompt('go on'))
  const result = (id: string) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: [{ type: 'text', text: 'r' }],
  })
  const [results, ...rest] = withoutMarks().slice(2)
  expect(JSON.parse(results ?? '')).toEqual({ role: 'user', content: [result('a'), result('b')] })
  expect(rest).toEqual([
    '{"role":"user","content":[{"type":"text","text":"[facts]"}]}',
    '{"role":"user","content":[{"type":"text","text":"go on"}]}',
  ])
})

test('[MODEL37] what a person ran is a call with its result for a model with tools, a text for one without', async () => {
  const asked = { name: 'terminal_execute', args: '{"command":"ls"}' }
  const ran = { kind: 'record', text: '$ ls\n[exit 0]', asked } as const
  expect(await open('tools').ask(ran)).toMatchObject({ stop: 'done' })
  expect(withoutMarks()).toEqual([
    // A conversation has to begin with the user.
    '{"role":"user","content":[{"type":"text","text":"(the session begins)"}]}',
    '{"role":"assistant","content":[{"type":"tool_use","id":"c00000100","name":"terminal_execute","input":{"command":"ls"}}]}',
    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c00000100","content":[{"type":"text","text":"$ ls\\n[exit 0]"}]}]}',
  ])
  expect(await open('tags').ask(ran, prompt())).toMatchObject({ stop: 'done' })
  expect(withoutMarks()[0]).toBe(
    '{"role":"user","content":[{"type":"text","text":"$ ls\\n[exit 0]"}]}',
  )
})

test('[MODEL45] half characters, blank prompts and other providers’ ids never make a request invalid', () => {
  const wire = wireOf('anthropic')
  const { setup } = modelOf()
  const answers = { type: 'call', id: 'call:1|ä', name: 'do it!', args: '{}' } as const
  const reply = wire.reply({ kind: 'reply', seq: 1, parts: [answers], adapter: 'x' }, setup)
  const parts = [
    { kind: 'record', seq: 3, text: 'half \ud83d', answers } as const,
    { kind: 'prompt', seq: 4, text: ' \n' } as const,
  ]
  const id = 'id_63616c6c3a317cc3a4'
  expect([...reply, ...wire.taken({ kind: 'taken', seq: 5, parts, gap: false }, setup)]).toEqual([
    `{"role":"assistant","content":[{"type":"tool_use","id":"${id}","name":"do_it_","input":{}}]}`,
    `{"role":"user","content":[{"type":"tool_result","tool_use_id":"${id}","content":[{"type":"text","text":"half \ufffd"}]}]}`,
    '{"role":"user","content":[{"type":"text","text":"(empty)"}]}',
  ])
})

test('[MODEL49] a thought that is not shown and long arguments are signs of life, and no words', async () => {
  server.cutAt(10)
  server.say({ parts: [{ type: 'thinking', text: '' }, call('a')] })
  const { setup, reply } = modelOf()
  const [taken = ''] = wireOf('anthropic').taken(
    { kind: 'taken', seq: 2, parts: [{ ...prompt(), seq: 1 }], gap: false },
    setup,
  )
  const deltas: string[] = []
  const signs: number[] = []
  const { signal } = new AbortController()
  const options = { signal, heard: () => void signs.push(deltas.length) }
  for await (const delta of reply({ setup, messages: [taken], sent: 0 }, options))
    if (delta.type !== 'usage') deltas.push(delta.type)
  expect(deltas).toEqual(['thinking', 'close', 'call', 'end'])
  // Before the thought has come, and between it and the call.
  expect(signs.filter((given) => given === 0).length).toBeGreaterThan(1)
  expect(signs.filter((given) => given === 2).length).toBeGreaterThan(1)
})

test('[MODEL49] arguments without an end end the reply at our limit', async () => {
  const piece = 'x'.repeat(limits.replyChars / 4)
  const delta = { type: 'input_json_delta', partial_json: piece }
  server.sayEvents(
    messageStart(),
    ...partEvents(text('hi'), 0),
    ...blockEvents(1, { type: 'tool_use', id: 'a', name: 'x', input: {} }, [
      delta,
      delta,
      delta,
      delta,
      delta,
    ]).slice(0, -1),
  )
  const ending = await open().ask(prompt())
  expect(ending.stop).toBe('length')
  expect(ending.parts).toEqual([{ type: 'text', text: 'hi' }])
})

test('[MODEL51] neighbouring texts stay two, and what a block begins with counts', async () => {
  server.sayEvents(
    messageStart(),
    ...partEvents(text('one'), 0),
    ...blockEvents(1, { type: 'text', text: 'two' }, [{ type: 'text_delta', text: '!' }]),
    ...blockEvents(2, { type: 'tool_use', id: 'a', name: 'x', input: { b: 1 } }, []),
    ...messageEnd('tool_use'),
  )
  const { parts } = await open().ask(prompt())
  expect(parts).toEqual([
    { type: 'text', text: 'one' },
    { type: 'text', text: 'two!' },
    { type: 'call', id: 'a', name: 'x', args: '{"b":1}' },
  ])
  expect(textOf(parts)).toBe('onetwo!')
})
