import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Dialect } from '../../src/protocol/events/epoch.ts'
import { createGeminiModel, geminiBody } from '../../src/server/model/gemini/request.ts'
import type { Model } from '../../src/server/model/model.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { gemini } from './gemini.ts'
import { whyRefused } from './gemini-rules.ts'
import { noSignature, signedCall, signedText } from './gemini-script.ts'
import { key } from './gemini-server.ts'
import type { ProviderServer, ScriptedReply } from './provider.ts'
import { openTalk } from './talk.ts'

let server: ProviderServer
beforeEach(async () => {
  server = await gemini.start()
})
afterEach(() => server.close())

const prompt = (text: string) => ({ kind: 'prompt', text }) as const
const openModel = (name: string, apiKey: string | null = key): Model =>
  createGeminiModel({
    setup: setupOf({ model: `gemini/${name}`, adapter: 'gemini', dialect: 'tools' }),
    name,
    who: 'Gemini',
    baseUrl: `${server.baseUrl}/`,
    apiKey,
  })

const rawArgs = '{ "b" :\t1.50e+2,\n "a":12345678901234567890, "a" : "\\u00e9\\/ \\ud800 \u2028" }'
const odd = '  \t lead\r\n\u2028 zero\u200bwidth \u{1f469}\u200d\u{1f4bb} lone \ud800 trail \n\n'

test('[MODEL1] each body is the one before, with its reply and what came since', async () => {
  const replies: ScriptedReply[] = [
    {
      parts: [
        { type: 'thinking', text: 'hm' },
        { type: 'text', text: odd },
        { type: 'call', name: 'terminal_execute', args: rawArgs, id: 'x1' },
        { type: 'call', name: 'terminal_read', args: '{}' },
      ],
    },
    {
      parts: [
        { type: 'thinking', text: 'so' },
        { type: 'text', text: ' ' },
        { type: 'text', text: odd },
      ],
    },
    { parts: [{ type: 'text', text: 'half' }], ending: 'cut' },
    {
      parts: [
        { type: 'call', name: 'terminal_read', args: '{"lines":5}' },
        { type: 'text', text: 'z' },
      ],
    },
    { parts: [{ type: 'text', text: 'end' }] },
  ]
  server.say(...replies)
  const talk = openTalk(gemini.model({ baseUrl: server.baseUrl, dialect: 'tools' }))
  await talk.ask({ kind: 'record', text: '[facts]' }, prompt(odd))
  await talk.ask(...talk.answers(odd), { kind: 'record', text: odd })
  await talk.ask(prompt('and?'))
  await talk.ask(prompt('again'))
  const last = await talk.ask(...talk.answers())
  expect(last).toMatchObject({ stop: 'done', parts: [{ text: 'end' }] })
  const bodies = server.requests.map(({ body }) => body)
  expect(bodies).toHaveLength(5)
  bodies.forEach((body, index) => {
    const before = bodies[index - 1]
    if (before === undefined) return
    const isCut = replies[index - 1]?.ending === 'cut'
    const replayed = isCut ? [] : gemini.replayed(replies[index - 1]!)
    // Not message by message but byte by byte.
    const expected = [before.slice(0, -2), ...replayed].join(',')
    expect(body.slice(0, expected.length)).toBe(expected)
  })
  expect(bodies[1]).toContain(`"args":${rawArgs}},"thoughtSignature"`)
})

test('[MODEL35] a request has its key in a header, and before its contents only what never changes', async () => {
  await openTalk(openModel('models/gemini-3-pro-preview')).ask(prompt('hi'))
  const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = server.requests
  expect(path).toBe('/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse')
  expect(headers['x-goog-api-key']).toBe(key)
  expect(body).not.toContain(key)
  const { system, tools } = setupOf({ model: 'm', adapter: 'gemini', dialect: 'tools' })
  const declared = tools.map(
    ({ name, description, parameters }) =>
      `${JSON.stringify({ name, description }).slice(0, -1)},"parametersJsonSchema":${parameters}}`,
  )
  expect(body).toBe(
    `{"systemInstruction":{"parts":[{"text":${JSON.stringify(system)}}]},"tools":[{"functionDeclarations":[${declared.join(',')}]}],"generationConfig":{"thinkingConfig":{"includeThoughts":true}},"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`,
  )
})

test.each([
  ['gemini-2.5-pro', true],
  ['gemini-2.5-flash', true],
  ['gemini-3.1-pro-preview', true],
  ['gemini-flash-latest', true],
  ['gemini-2.5-flash-lite', false],
  ['gemini-2.5-flash-image', false],
  ['gemini-2.0-flash', false],
  ['gemma-3-27b-it', false],
])(
  '[MODEL35] only a model that thinks by itself is asked for its thoughts: %s',
  (name, expected) => {
    const setup = { ...openModel(name).setup, system: '', tools: [] }
    const body = geminiBody(name, { setup, messages: ['{}'], sent: 0 })
    const config = '"generationConfig":{"thinkingConfig":{"includeThoughts":true}},'
    expect(body).toBe(`{${expected ? config : ''}"contents":[{}]}`)
  },
)

test.each([
  [400, 'API key not valid. Please pass a valid API key.', 'model_auth'],
  [400, 'API key expired. Please renew the API key.', 'model_auth'],
  [403, 'Permission denied', 'model_auth'],
  [404, 'models/x is not found for API version v1beta', 'model_config'],
  [
    400,
    'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
    'context_full',
  ],
  [400, 'User location is not supported for the API use.', 'model_failed'],
])('[MODEL6] %i: %s', async (status, message, code) => {
  server.say({ parts: [], error: { status, message } })
  const asked = await openTalk(openModel('gemini-2.5-pro')).ask(prompt('hi'))
  expect(asked).toMatchObject({ stop: 'failed', error: { code } })
  expect(asked.error?.message).toContain(message)
  expect(server.requests).toHaveLength(1)
})

test('[MODEL6] an error says when to come back', async () => {
  server.say({ parts: [], error: { status: 429, message: 'quota', retryAfter: '36.429760048' } })
  const { signal } = new AbortController()
  const { setup, reply } = openModel('gemini-2.5-pro')
  const messages = ['{"role":"user","parts":[{"text":"hi"}]}']
  const read = async () => {
    for await (const _ of reply({ setup, messages, sent: 0 }, { signal }));
  }
  await expect(read()).rejects.toMatchObject({
    code: 'model_overloaded',
    transient: true,
    retryAfterMs: 36_429.760048,
  })
})

test('[MODEL6] a wrong key is one clear sentence', async () => {
  const asked = await openTalk(openModel('gemini-2.5-pro', 'wrong')).ask(prompt('hi'))
  expect(asked.error).toMatchObject({
    code: 'model_auth',
    message:
      'Gemini answered 400: API key not valid. Please pass a valid API key. Is the key right?',
  })
})

test('[MODEL61] a call that Google itself cannot read runs nothing, and is asked for again', async () => {
  const bad: ScriptedReply = { parts: [{ type: 'call', name: 'f', args: '{"a":' }] }
  server.say(bad, 'better')
  const asked = await openTalk(openModel('gemini-3-pro-preview')).ask(prompt('hi'))
  expect(asked).toMatchObject({ stop: 'done', parts: [{ type: 'text', text: 'better' }] })
  expect(server.requests).toHaveLength(2)
})

const user = (...parts: readonly object[]) => ({ role: 'user', parts })
const model = (...parts: readonly object[]) => ({ role: 'model', parts })
const hi = user({ text: 'hi' })
const call = { functionCall: { name: 'f', args: {} } }
const signed = { ...call, thoughtSignature: signedCall('f', '{}') }
const response = { functionResponse: { name: 'f', response: { output: 'ok' } } }
const declare = (parameters: object) => [{ functionDeclarations: [{ name: 'f', parameters }] }]

test.each<[string, object, RegExp]>([
  ['no contents', { contents: [] }, /not specified/],
  ['a field it does not know', { contents: [hi], model: 'x' }, /Unknown name "model"/],
  ['a role it does not know', { contents: [{ ...hi, role: 'assistant' }] }, /valid role/],
  ['a content without parts', { contents: [user()] }, /must not be empty/],
  ['a part without data', { contents: [user({})] }, /oneof/],
  ['an empty text', { contents: [user({ text: '' })] }, /text parameter/],
  ['the model’s word at the end', { contents: [hi, model({ text: 'yo' })] }, /model turn/],
  ['a call without its result', { contents: [hi, model(signed), hi] }, /number of function/],
  [
    'too few results',
    { contents: [hi, model(signed, call), user(response)] },
    /number of function/,
  ],
  [
    'results in two contents',
    { contents: [hi, model(signed, call), user(response), user(response)] },
    /number of function/,
  ],
  ['a result without its call', { contents: [hi, user(response)] }, /immediately after a function/],
  ['a result that comes later', { contents: [hi, model(signed), hi, user(response)] }, /number of/],
  [
    'a call after the model’s word',
    { contents: [hi, model({ text: 'so' }), model(signed), user(response)] },
    /immediately after a user turn/,
  ],
  [
    'the result of another call',
    {
      contents: [
        hi,
        model(signed),
        user({ functionResponse: { ...response.functionResponse, id: 'y' } }),
      ],
    },
    /does not match/,
  ],
  [
    'a call that is not signed',
    { contents: [hi, model(call), user(response)] },
    /missing a thought_sig/,
  ],
  [
    'a signature that was changed',
    { contents: [hi, model({ ...signed, thoughtSignature: 'AAAA' }), user(response)] },
    /Corrupted/,
  ],
  [
    'a signed call that was changed',
    {
      contents: [
        hi,
        model({ ...signed, functionCall: { name: 'f', args: { a: 1 } } }),
        user(response),
      ],
    },
    /Corrupted/,
  ],
  [
    'a signature on other words',
    { contents: [hi, model({ text: 'no', thoughtSignature: signedText('yes') }), hi] },
    /Corrupted/,
  ],
  [
    'a schema in the wrong place',
    { tools: declare({ additionalProperties: false }), contents: [hi] },
    /additionalProperties/,
  ],
])('[MODEL36] the scripted server refuses %s', (_, request, expected) => {
  expect(whyRefused(JSON.stringify(request), 'gemini-3-pro-preview')).toMatch(expected)
})

test('[MODEL36] the scripted server accepts what the real one accepts', () => {
  const accepted: readonly object[][] = [
    [hi, hi],
    [hi, model({ text: 'a' }), model({ text: 'b' }), hi],
    [hi, model({ text: 'yes' }, { text: '', thoughtSignature: signedText('yes') }), hi],
    [hi, model(signed, call), user(response, response), hi],
    // Signatures of earlier turns are not asked for.
    [hi, model(call), user(response), model({ text: 'so' }), hi],
    [hi, model({ ...call, thoughtSignature: noSignature }), user(response)],
  ]
  for (const contents of accepted)
    expect(whyRefused(JSON.stringify({ contents }), 'gemini-3-pro-preview')).toBeNull()
  expect(
    whyRefused(
      JSON.stringify({
        generationConfig: { thinkingConfig: { includeThoughts: true } },
        contents: [hi],
      }),
      'gemini-2.0-flash',
    ),
  ).toMatch(/Thinking is not enabled/)
})

test.each(['tags', 'tools'] satisfies Dialect[])(
  '[MODEL20] odd texts go there and back as they are (%s)',
  async (dialect) => {
    server.say(odd)
    const talk = openTalk(gemini.model({ baseUrl: server.baseUrl, dialect }))
    const { parts } = await talk.ask(prompt(odd))
    expect(parts).toEqual([{ type: 'text', text: odd }])
    await talk.ask(prompt('x'))
    const { contents } = JSON.parse(server.requests[1]?.body ?? '')
    expect(contents.slice(0, 2)).toEqual([user({ text: odd }), model({ text: odd })])
  },
)
