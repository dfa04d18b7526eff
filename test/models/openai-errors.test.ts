import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ModelErrorCode } from '../../src/server/model/model.ts'
import { chunk, openaiChat, startChat } from './openai-chat.ts'
import { event, openaiResponses, startResponses } from './openai-responses.ts'
import { askOnce } from './openai-read.ts'
import type { OpenaiServer } from './openai-server.ts'
import { openTalk } from './talk.ts'

let chat: OpenaiServer
let responses: OpenaiServer
beforeEach(async () => {
  chat = await startChat()
  responses = await startResponses()
})
afterEach(async () => {
  await chat.close()
  await responses.close()
})

const chatModel = () => openaiChat.model({ baseUrl: chat.baseUrl, dialect: 'tags' })
const responsesModel = () => openaiResponses.model({ baseUrl: responses.baseUrl, dialect: 'tags' })
const error = (message: string, more: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
})

type Case = readonly [string, number, object | string, ModelErrorCode, 'passes' | 'stays']

const cases: readonly Case[] = [
  [
    'a wrong key',
    401,
    error('Incorrect API key provided', { code: 'invalid_api_key' }),
    'model_auth',
    'stays',
  ],
  ['a key that may not', 403, error('You may not'), 'model_auth', 'stays'],
  [
    'a model that the project has not',
    403,
    error('no access', { code: 'model_not_found' }),
    'model_config',
    'stays',
  ],
  [
    'Ollama without the model',
    404,
    error('model "x" not found, try pulling it first', { type: 'not_found_error' }),
    'model_config',
    'stays',
  ],
  [
    'vLLM without the model',
    404,
    {
      object: 'error',
      message: 'The model `x` does not exist.',
      type: 'NotFoundError',
      param: null,
      code: 404,
    },
    'model_config',
    'stays',
  ],
  ['a wrong address', 404, '404 page not found', 'model_config', 'stays'],
  [
    'OpenAI’s full context',
    400,
    error('Your input exceeds the context window of this model.', {
      code: 'context_length_exceeded',
    }),
    'context_full',
    'stays',
  ],
  [
    'vLLM’s full context',
    400,
    {
      object: 'error',
      message: 'This model’s maximum context length is 4096 tokens. However, you requested 5000',
      type: 'BadRequestError',
      code: 400,
    },
    'context_full',
    'stays',
  ],
  [
    'xAI’s full context',
    400,
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
    },
    'context_full',
    'stays',
  ],
  [
    'a newer vLLM’s full context',
    400,
    {
      error: {
        message:
          'The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.',
        type: 'BadRequestError',
        code: 400,
      },
    },
    'context_full',
    'stays',
  ],
  [
    'vLLM’s full context without room for a reply',
    400,
    {
      object: 'error',
      message: 'max_tokens must be at least 1, got -904.',
      type: 'BadRequestError',
      code: 400,
    },
    'context_full',
    'stays',
  ],
  [
    'vLLM’s input that is too long',
    400,
    error(
      "You passed 8193 input tokens and requested 0 output tokens. However, the model's context length is only 8192 tokens.",
    ),
    'context_full',
    'stays',
  ],
  [
    'Groq’s full context',
    400,
    error('Please reduce the length of the messages or completion.'),
    'context_full',
    'stays',
  ],
  [
    'Mistral’s full context',
    400,
    error('Prompt contains 40000 tokens, too large for model with 32768 maximum context length'),
    'context_full',
    'stays',
  ],
  [
    'llama.cpp’s full context',
    400,
    {
      error: {
        code: 400,
        message:
          'request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it',
        type: 'exceed_context_size_error',
      },
    },
    'context_full',
    'stays',
  ],
  [
    'LM Studio’s full context',
    400,
    {
      error:
        'Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    },
    'context_full',
    'stays',
  ],
  [
    'more at once than is ever allowed',
    429,
    error('Request too large for gpt-test on tokens per min (TPM): Limit 10000, Requested 20000.', {
      type: 'tokens',
      code: 'rate_limit_exceeded',
    }),
    'context_full',
    'stays',
  ],
  [
    'a value that is too long',
    400,
    error('Invalid id: string too long. Expected a maximum length of 40 tokens'),
    'model_failed',
    'stays',
  ],
  [
    'no money',
    429,
    error('You exceeded your current quota, please check your plan', {
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    }),
    'model_failed',
    'stays',
  ],
  [
    'no money, elsewhere',
    402,
    error('Insufficient Balance', { type: 'unknown_error' }),
    'model_failed',
    'stays',
  ],
  [
    'a rate limit',
    429,
    error('Rate limit reached. Please try again in 20ms.', { code: 'rate_limit_exceeded' }),
    'model_overloaded',
    'passes',
  ],
  [
    'a server that fails',
    500,
    error('The server had an error', { type: 'server_error' }),
    'model_failed',
    'passes',
  ],
  ['a server that is busy', 503, error('That model is overloaded'), 'model_overloaded', 'passes'],
  [
    'llama.cpp while it loads',
    503,
    { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
    'model_overloaded',
    'passes',
  ],
  [
    'Azure’s content filter',
    400,
    error('The response was filtered', { code: 'content_filter' }),
    'model_refused',
    'stays',
  ],
  ['a proxy that has no JSON', 502, '<html>Bad Gateway</html>', 'model_failed', 'passes'],
  ['a framework’s own words', 400, { detail: 'Unsupported' }, 'model_failed', 'stays'],
]

test.each(cases)('[MODEL6] %s is told as what it means', async (_, status, body, code, fate) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  for (const [server, model] of [
    [chat, chatModel()],
    [responses, responsesModel()],
  ] as const) {
    server.sayError(status, text)
    const { error: thrown } = await askOnce(model)
    expect(thrown).toMatchObject({ code, transient: fate === 'passes' })
    expect(thrown?.message).toMatch(new RegExp(`^OpenAI answered ${status}: [^{]+`))
  }
})

test('[MODEL7] without money a request is not sent again, and a rate limit is waited for as long as it says', async () => {
  const noMoney = error('You exceeded your current quota', { code: 'insufficient_quota' })
  chat.sayError(429, JSON.stringify(noMoney))
  const asked = await openTalk(chatModel()).ask({ kind: 'prompt', text: 'hi' })
  expect(asked).toMatchObject({ stop: 'failed', error: { code: 'model_failed' } })
  expect(chat.requests).toHaveLength(1)
  const limit = error('Rate limit reached. Please try again in 1.5s.', {
    code: 'rate_limit_exceeded',
  })
  chat.sayError(429, JSON.stringify(limit))
  expect((await askOnce(chatModel())).error?.retryAfterMs).toBe(1_500)
})

test.each([
  [
    500,
    'Value is not callable: raise_exception: Conversation roles must alternate user/assistant/...',
  ],
  [400, 'Conversation roles must alternate user/assistant/user/assistant/...'],
  [500, 'Failed to parse the jinja chat template'],
  [400, 'After the optional system message, conversation roles must alternate user and assistant'],
  [
    400,
    'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
  ],
])(
  '[MODEL6] a template that refuses (%i: %s) is not tried again, and the setting is named',
  async (status, said) => {
    chat.sayError(status, JSON.stringify(error(said, { type: 'server_error' })))
    const { error: thrown } = await askOnce(chatModel())
    expect(thrown).toMatchObject({ code: 'model_config', transient: false })
    expect(thrown?.message).toContain('strictAlternation')
  },
)

test.each<readonly [Readonly<Record<string, string>>, number, object]>([
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 429, { transient: true, retryAfterMs: 250 }],
  [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 429, { transient: true, retryAfterMs: 9_000 }],
  [{ 'x-should-retry': 'false' }, 503, { transient: false }],
  [{ 'x-should-retry': 'true' }, 409, { transient: true }],
  [{ 'x-should-retry': 'perhaps' }, 503, { transient: true }],
])('[MODEL7] %j with %i is tried again as the provider says', async (headers, status, expected) => {
  chat.sayError(status, JSON.stringify(error('later')), headers)
  expect((await askOnce(chatModel())).error).toMatchObject(expected)
})

const said = chunk({ choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: null }] })

test.each<readonly [string, object, ModelErrorCode, 'passes' | 'stays']>([
  [
    'vLLM',
    { error: { object: 'error', message: 'engine died', type: 'InternalServerError', code: 500 } },
    'model_failed',
    'passes',
  ],
  [
    'llama.cpp',
    {
      error: {
        code: 400,
        message: 'exceeds the available context size',
        type: 'exceed_context_size_error',
      },
    },
    'context_full',
    'stays',
  ],
  ['LM Studio', { error: 'Context size has been exceeded.' }, 'context_full', 'stays'],
  [
    'a rate limit',
    { error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } },
    'model_overloaded',
    'passes',
  ],
  ['an error without a word', { error: { code: null } }, 'model_failed', 'passes'],
])(
  '[MODEL6] an error in the middle of a chat stream, as from %s, is told and keeps the text',
  async (_, body, code, fate) => {
    chat.sayBytes(`${said}data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`)
    const { parts, error: thrown } = await askOnce(chatModel())
    expect(parts).toEqual([{ type: 'text', text: 'hi' }])
    expect(thrown).toMatchObject({ code, transient: fate === 'passes' })
    expect(thrown?.message).toMatch(/^OpenAI failed: \S+/)
  },
)

test.each(['{"hello":1}', 'not json', '{"choices":7}'])(
  '[MODEL6] %s is no chat completion chunk',
  async (data) => {
    chat.sayBytes(`${said}data: ${data}\n\n`)
    const { error: thrown } = await askOnce(chatModel())
    expect(thrown).toMatchObject({ code: 'model_failed', transient: false })
  },
)

const failed = (body: object) => ({
  type: 'response.failed',
  response: { status: 'failed', error: body },
})

test.each<readonly [{ type: string }, ModelErrorCode, 'passes' | 'stays']>([
  [failed({ code: 'server_error', message: 'oops' }), 'model_failed', 'passes'],
  [
    failed({ code: 'rate_limit_exceeded', message: 'Please try again in 2s' }),
    'model_overloaded',
    'passes',
  ],
  [failed({ code: 'insufficient_quota', message: 'no money' }), 'model_failed', 'stays'],
  [failed({ code: 'context_length_exceeded', message: 'too much' }), 'context_full', 'stays'],
  [failed({ code: 'invalid_prompt', message: 'flagged' }), 'model_refused', 'stays'],
  [
    { type: 'error', code: 'context_length_exceeded', message: '', param: null } as never,
    'context_full',
    'stays',
  ],
  [
    {
      type: 'error',
      error: { type: 'server_error', code: 'server_is_overloaded', message: 'busy' },
    } as never,
    'model_overloaded',
    'passes',
  ],
])(
  '[MODEL6] an error in the middle of a response is told and keeps the text: %j',
  async (body, code, fate) => {
    const delta = event({ type: 'response.output_text.delta', delta: 'hi' })
    responses.sayBytes(delta + event({ ...body }))
    const { parts, error: thrown } = await askOnce(responsesModel())
    expect(parts).toEqual([{ type: 'text', text: 'hi' }])
    expect(thrown).toMatchObject({ code, transient: fate === 'passes' })
  },
)
