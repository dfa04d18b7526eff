import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ModelError } from '../../src/server/model/model.ts'
import { finish, piece, readEvents } from './gemini-reader.ts'

const odd = '  \t lead\r\n\u2028 zero\u200bwidth \u{1f469}\u200d\u{1f4bb} lone \ud800 trail \n\n'
const rawArgs =
  '{ "b" : 1.50e+2,\n "a":12345678901234567890, "a" :"\\u00e9\\/ \\ud800 \u2028", "" :{} }'

const call = (args: string, rest = '') =>
  `{"candidates": [{"content": {"parts": [{"text": "so"},{"functionCall": {"name": "f","args": ${args}${rest}}}],"role": "model"}}]}`

/** The error that reading these ends with. */
async function failure(...events: readonly (object | string)[]): Promise<ModelError> {
  const thrown: unknown = await readEvents(events).catch((error: unknown) => error)
  if (thrown instanceof ModelError) return thrown
  throw new Error('nothing was thrown', { cause: thrown })
}

const whole = [
  piece({ text: 'hm \u{1f914}', thought: true }),
  piece({ text: odd.slice(0, 9) }, { text: odd.slice(9) }),
  call(rawArgs),
  { ...finish('STOP'), usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2 } },
]

const wholeRead = {
  parts: [
    { type: 'thinking', text: 'hm \u{1f914}' },
    { type: 'text', text: `${odd}so` },
    { type: 'call', id: '', name: 'f', args: rawArgs },
  ],
  stop: 'done',
  usage: { input: 5, output: 2, cacheRead: 0, cacheWrite: 0 },
}

test('[MODEL4] a stream cut in two at every byte gives the same reply', async () => {
  let length = 1
  for (let at = 0; at < length; at++) {
    const read = await readEvents(whole, (bytes) => {
      length = bytes.length
      return [bytes.slice(0, at), bytes.slice(at)]
    })
    expect(read).toMatchObject(wholeRead)
  }
  expect(length).toBeGreaterThan(500)
})

test('[MODEL4] a stream cut anywhere, often, gives the same reply', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (sizes) => {
      const read = await readEvents(whole, (bytes) => {
        const pieces: Uint8Array[] = []
        for (let at = 0, n = 0; at < bytes.length; n++) {
          const size = sizes[n % sizes.length]!
          pieces.push(bytes.slice(at, at + size))
          at += size
        }
        return pieces
      })
      expect(read).toMatchObject(wholeRead)
    }),
    { numRuns: 100 },
  )
})

test('[MODEL20] any text is read as it was written', async () => {
  const texts = fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(texts, async (pieces) => {
      const { parts } = await readEvents([...pieces.map((text) => piece({ text })), finish('STOP')])
      expect(parts).toEqual([{ type: 'text', text: pieces.join('') }])
    }),
  )
})

test('[MODEL20] arguments are kept as they stand in the JSON, also when there are none', async () => {
  const { parts } = await readEvents([call(rawArgs), call('{}'), finish('STOP')])
  expect(parts.flatMap((part) => (part.type === 'call' ? [part.args] : []))).toEqual([
    rawArgs,
    '{}',
  ])
  const bare = await readEvents([piece({ functionCall: { name: 'f' } }), finish('STOP')])
  expect(bare.parts).toEqual([{ type: 'call', id: '', name: 'f', args: '{}' }])
})

test('[MODEL3] a signature is kept with the part it came on, and joins nothing to it', async () => {
  const events = [
    piece({ text: 'a thought', thought: true }),
    piece({ text: ' signed', thought: true, thoughtSignature: 'c1' }),
    piece({ text: 'one ' }, { text: 'two', thoughtSignature: 'c2' }, { text: ' three' }),
    piece({ functionCall: { id: 'x', name: 'f', args: {} }, thoughtSignature: 'c3' }),
    piece({ text: '.' }),
    {
      candidates: [
        { content: { parts: [{ text: '', thoughtSignature: 'c4' }] }, finishReason: 'STOP' },
      ],
    },
  ]
  const { parts } = await readEvents(events)
  expect(parts).toEqual([
    { type: 'thinking', text: 'a thought' },
    { type: 'thinking', text: ' signed', opaque: 'c1' },
    { type: 'text', text: 'one ' },
    { type: 'text', text: 'two', opaque: 'c2' },
    { type: 'text', text: ' three' },
    {
      type: 'call',
      id: 'x',
      name: 'f',
      args: '{}',
      opaque: '{"functionCallId":"x","thoughtSignature":"c3"}',
    },
    { type: 'text', text: '.' },
    { type: 'text', text: '', opaque: 'c4' },
  ])
})

test.each([
  ['SAFETY', 'model_refused', false],
  ['RECITATION', 'model_refused', false],
  ['PROHIBITED_CONTENT', 'model_refused', false],
  ['BLOCKLIST', 'model_refused', false],
  ['SPII', 'model_refused', false],
  ['IMAGE_SAFETY', 'model_refused', false],
  ['MALFORMED_FUNCTION_CALL', 'model_failed', true],
  ['OTHER', 'model_failed', false],
  ['SOMETHING_NEW', 'model_failed', false],
])('[MODEL6] a reply that ends as %s is told as what it is', async (reason, code, transient) => {
  const error = await failure(piece({ text: 'so far' }), finish(reason, 'because'))
  expect(error).toMatchObject({ code, transient })
  expect(error.message).toContain(`${reason}: because`)
})

test.each(['MAX_TOKENS', 'CONTINUATION'])(
  '[MODEL6] a reply that ends as %s ends by its length',
  async (reason) => {
    const read = await readEvents([piece({ text: 'a' }), finish(reason)])
    expect(read).toMatchObject({ stop: 'length' })
  },
)

test('[MODEL61] a call of a tool that was not declared is a call, also where only its name is told', async () => {
  const call = { functionCall: { name: 'list_files', args: { path: '.' } }, thoughtSignature: 's' }
  const message = 'Unexpected tool call: Model tried to call an undeclared function: list_files'
  const whole = await readEvents([piece(call), finish('UNEXPECTED_TOOL_CALL', message)])
  expect(whole).toMatchObject({
    stop: 'done',
    parts: [{ name: 'list_files', args: '{"path":"."}' }],
  })
  const named = await readEvents([finish('UNEXPECTED_TOOL_CALL', message)])
  const signed = '{"thoughtSignature":"skip_thought_signature_validator"}'
  expect(named).toMatchObject({ stop: 'done', parts: [{ name: 'list_files', opaque: signed }] })
  const bare = await readEvents([finish('UNEXPECTED_TOOL_CALL')])
  expect(bare).toMatchObject({ stop: 'done', parts: [{ type: 'call', name: 'unknown' }] })
})

test('[MODEL61] [DONE] ends a stream, and parts that are not known are passed over', async () => {
  const odd = piece({ executableCode: { code: 'x' } }, { text: 'a' }, { somethingNew: 7 })
  expect(await readEvents([odd, finish('STOP'), '[DONE]'])).toMatchObject({
    parts: [{ text: 'a' }],
    stop: 'done',
  })
  expect(await failure(piece({ text: 'a' }), '[DONE]')).toMatchObject({ code: 'model_cut' })
})

test('[MODEL6] a prompt that is blocked is a refusal, and says why', async () => {
  const error = await failure({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })
  expect(error).toMatchObject({ code: 'model_refused', transient: false })
  expect(error.message).toContain('PROHIBITED_CONTENT')
})

test('[MODEL5] thoughts count as output, and what the cache had as input', async () => {
  const usageMetadata = {
    promptTokenCount: 1_000,
    cachedContentTokenCount: 900,
    candidatesTokenCount: 20,
    thoughtsTokenCount: 300,
    totalTokenCount: 1_320,
  }
  const early = { ...piece({ text: 'a' }), usageMetadata: { promptTokenCount: 1_000 } }
  const { usage } = await readEvents([early, { ...finish('STOP'), usageMetadata }])
  expect(usage).toEqual({ input: 1_000, output: 320, cacheRead: 900, cacheWrite: 0 })
})

test('[MODEL6] an error in the middle of a stream means what its status means', async () => {
  const error = (code: number, message: string) => ({ error: { code, message, status: 'X' } })
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '36.5s' }]
  expect(await failure(piece({ text: 'a' }), error(503, 'high demand'))).toMatchObject({
    code: 'model_overloaded',
    transient: true,
    message: 'Gemini answered 503: high demand.',
  })
  expect(await failure({ error: { ...error(429, 'quota').error, details } })).toMatchObject({
    code: 'model_overloaded',
    retryAfterMs: 36_500,
  })
  expect(await failure(error(500, 'internal'))).toMatchObject({
    code: 'model_failed',
    transient: true,
  })
  expect(await failure('no JSON')).toMatchObject({ code: 'model_failed', transient: false })
  expect(await failure('{"candidates": 7}')).toMatchObject({ code: 'model_failed' })
})

test('[MODEL4] a stream that closes without an end is cut, wherever that is', async () => {
  expect(await failure()).toMatchObject({ code: 'model_cut' })
  let length = 1
  for (let at = 0; at < length; at++) {
    const thrown: unknown = await readEvents(whole, (bytes) => {
      length = bytes.length - 2
      return [bytes.slice(0, at)]
    }).catch((error: unknown) => error)
    expect(thrown).toMatchObject({ code: 'model_cut' })
  }
})
