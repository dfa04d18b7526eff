import { expect, test } from 'vitest'
import { ask, chunk, done, json, sse, stream } from './served.ts'

/** Error answers as providers give them. Each test names where it was seen. */

// xAI, as in continuedev/continue#10778.
const xaiKey = {
  code: 'Client specified an invalid argument',
  error: 'Incorrect API key provided: xa***z. You can obtain an API key from https://console.x.ai.',
}

test('[MODEL6] a key that xAI refuses with 400 is told as a refused key', async () => {
  const { error } = await ask('openai-chat', json(400, xaiKey))
  expect(error).toMatchObject({ code: 'model_auth', transient: false })
})

// Google’s compatible endpoints put the error into a list: n4ze3m/page-assist#406, openai/openai-agents-python#2137.
const google = (code: number, message: string, details: readonly object[] = []) => [
  { error: { code, message, status: 'SOME', details } },
]

test('[MODEL6] an error in a list, as Google’s compatible endpoint sends it, is read', async () => {
  const said = 'API key not valid. Please pass a valid API key.'
  const { error } = await ask('openai-chat', json(400, google(400, said)))
  expect(error).toMatchObject({ code: 'model_auth' })
  expect(error?.message).toBe(`It answered 400: ${said} Is the key right?`)
})

test('[MODEL7] Google’s compatible endpoint is asked again when its details say so', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }]
  const answer = json(429, google(429, 'You exceeded your current quota', details))
  expect((await ask('openai-chat', answer)).error).toMatchObject({ retryAfterMs: 7_000 })
})

test.each([
  // strands-agents/harness-sdk: all words that Bedrock has for it; anthropics/claude-code#760.
  ['Bedrock', 400, 'Input is too long for requested model.'],
  ['Claude behind a compatible server', 400, 'prompt is too long: 210000 tokens > 200000 maximum'],
  [
    'Gemini behind a compatible server',
    400,
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  ],
  [
    'Together and TGI',
    422,
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 0 `max_new_tokens`',
  ],
])('[MODEL6] a full context is known in the words of %s', async (_, status, message) => {
  const body = { error: { message, type: 'invalid_request_error', param: null, code: null } }
  const { error } = await ask('openai-chat', json(status, body))
  expect(error).toMatchObject({ code: 'context_full', transient: false })
})

// OpenRouter’s errors page: the provider’s own words stand in metadata.raw; open-webui/computer#293.
const routed = (code: number, raw: string) => ({
  error: { message: 'Provider returned error', code, metadata: { raw, provider_name: 'BaseTen' } },
})

test('[MODEL6] OpenRouter’s error is told with the words of the provider behind it', async () => {
  const raw = 'z-ai/glm is temporarily rate-limited upstream. Please retry shortly'
  const { error } = await ask('openai-chat', json(429, routed(429, raw)))
  expect(error?.message).toContain('temporarily rate-limited upstream')
})

test('[MODEL6] a full context that OpenRouter passes on is known', async () => {
  const inner = { error: { message: 'This model’s maximum context length is 8192 tokens.' } }
  const { error } = await ask('openai-chat', json(400, routed(400, JSON.stringify(inner))))
  expect(error).toMatchObject({ code: 'context_full' })
})

test('[MODEL6] an input that OpenRouter’s moderation flagged is no wrong key', async () => {
  const message = 'Your chosen model requires moderation and your input was flagged'
  const metadata = { reasons: ['violence'], flagged_input: 'x', provider_name: 'OpenAI' }
  const { error } = await ask('openai-chat', json(403, { error: { code: 403, message, metadata } }))
  expect(error).toMatchObject({ code: 'model_refused' })
  expect(error?.message).not.toContain('Is the key right?')
})

test.each(['400', '401'])(
  '[MODEL7] LiteLLM’s error in a stream with the code "%s" is not sent again',
  async (code) => {
    const error = { message: 'litellm.BadRequestError: no', type: 'None', param: 'None', code }
    expect((await ask('openai-chat', stream({ error }))).error).toMatchObject({ transient: false })
  },
)

// The SDKs of OpenAI and Anthropic send it again: a lock that timed out.
test.each(['openai-responses', 'anthropic'] as const)(
  '[MODEL7] a 409 of %s passes',
  async (wire) => {
    const answer = json(409, { error: { message: 'Lock timeout', type: 'conflict' } })
    expect((await ask(wire, answer)).error).toMatchObject({ transient: true })
  },
)

// OpenRouter’s errors page: once a model is at work the status is 200 and the error in the body.
test('[MODEL6] an error in the body of a 200 is told, not the body’s type', async () => {
  const body = { error: { code: 502, message: 'Your chosen model is down' } }
  const { error } = await ask('openai-chat', json(200, body))
  expect(error?.message).toContain('Your chosen model is down')
  expect(error).toMatchObject({ transient: true })
})

test.each([
  ['openai-responses', { error: { message: 'It is down', type: 'server_error' } }],
  ['anthropic', { type: 'error', error: { type: 'overloaded_error', message: 'It is down' } }],
  ['gemini', [{ error: { code: 503, message: 'It is down' } }]],
] as const)('[MODEL6] an error of %s in the body of a 200 is told', async (wire, body) => {
  const { error } = await ask(wire, json(200, body))
  expect(error?.message).toContain('It is down')
  expect(error).toMatchObject({ transient: true })
})

test('[MODEL6] an answer in one piece that is no error is told as a wrong address', async () => {
  const body = { object: 'chat.completion', choices: [{ message: { content: 'hi' } }] }
  expect((await ask('openai-chat', json(200, body))).error?.message).toContain('address right?')
})

test('[MODEL6] more output than a Claude can write is no full context', async () => {
  const message =
    'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20241022'
  const body = { type: 'error', error: { type: 'invalid_request_error', message } }
  const { error } = await ask('anthropic', json(400, body))
  expect(error).toMatchObject({ code: 'model_failed' })
})

// Anthropic’s SDK throws for an event of this name, whatever its data.
test('[MODEL6] an error event without a type of its own is told in its words', async () => {
  const event = `event: error\n${sse({ error: { type: 'overloaded_error', message: 'Overloaded' } })}`
  const { error } = await ask('anthropic', stream(event))
  expect(error?.message).toContain('Overloaded')
  expect(error).toMatchObject({ code: 'model_overloaded', transient: true })
})

// openai/codex#8119, #8138: each later request of the session is refused, too; the key of another organisation does it.
test('[MODEL6] thoughts that OpenAI can no longer read are told with a way out, not with trying again', async () => {
  const message = 'The encrypted content gAAA...c90= could not be verified.'
  const error = { message, type: 'invalid_request_error', code: 'invalid_encrypted_content' }
  const answer = await ask('openai-responses', json(400, { error }))
  expect(answer.error?.message).toMatch(/compact|new session/)
})

// A code of ResponseError in OpenAI’s own types; the same picture would be refused each time.
test('[MODEL7] a response that failed for a bad picture is not sent again', async () => {
  const error = { code: 'invalid_image_format', message: 'The image is not valid' }
  const event = { type: 'response.failed', response: { status: 'failed', error } }
  expect((await ask('openai-responses', stream(event))).error).toMatchObject({ transient: false })
})

test('[MODEL6] dots in the words of a provider are kept', async () => {
  const answer = json(500, { error: { message: 'Received API Key = sk-...abcd, see the logs.' } })
  const { error } = await ask('openai-chat', answer)
  expect(error?.message).toBe('It answered 500: Received API Key = sk-...abcd, see the logs.')
})

// Google’s compatible endpoint, as recorded by many.
test('[MODEL6] a content filter that says what it found is a refusal', async () => {
  const answer = stream(chunk({}, 'content_filter: PROHIBITED_CONTENT'), done)
  expect((await ask('openai-chat', answer)).error).toMatchObject({ code: 'model_refused' })
})

test('[MODEL7] a malformed call on Google’s compatible endpoint is asked for again', async () => {
  const answer = stream(chunk({}, 'function_call_filter: MALFORMED_FUNCTION_CALL'), done)
  expect((await ask('openai-chat', answer)).error).toMatchObject({ transient: true })
})
