import type { ServerResponse } from 'node:http'

/** A provider's protocol, as far as answers that are wrong differ by it. */
export interface Protocol {
  model: string
  path: RegExp
  error(status: number, message: string): object
  /** Events: the first word, and ends of a stream. */
  word: string
  refused: string
  odd: string
  broken: string
}

const sse = (...events: readonly object[]) =>
  events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')

const chatEnd = (finish_reason: string) => sse({ choices: [{ delta: {}, finish_reason }] })
const openaiError = (status: number, message: string) => ({
  error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', code: null },
})
const incomplete = (reason: string) =>
  sse({ type: 'response.incomplete', response: { incomplete_details: { reason } } })
const messageEnd = (stop_reason: string) =>
  sse({ type: 'message_delta', delta: { stop_reason } }, { type: 'message_stop' })
const candidateEnd = (finishReason: string) => sse({ candidates: [{ finishReason }] })

export const protocols: readonly Protocol[] = [
  {
    model: 'openai-chat/gpt-test',
    path: /chat\/completions$/,
    error: openaiError,
    word: sse({ choices: [{ delta: { content: 'so' }, finish_reason: null }] }),
    refused: chatEnd('content_filter'),
    odd: chatEnd('odd'),
    broken: sse({ error: { message: 'The engine broke', code: 500 } }),
  },
  {
    model: 'openai/gpt-test',
    path: /responses$/,
    error: openaiError,
    word: sse({ type: 'response.output_text.delta', delta: 'so' }),
    refused: incomplete('content_filter'),
    odd: incomplete('odd'),
    broken: sse({
      type: 'response.failed',
      response: { error: { code: 'server_error', message: 'The engine broke' } },
    }),
  },
  {
    model: 'anthropic/claude-test',
    path: /v1\/messages$/,
    error: (status, message) => ({ type: 'error', error: { type: `of ${status}`, message } }),
    word: sse(
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'so' } },
    ),
    refused: messageEnd('refusal'),
    odd: messageEnd('odd'),
    broken: sse({ type: 'error', error: { type: 'api_error', message: 'The engine broke' } }),
  },
  {
    model: 'gemini/gemini-3-test',
    path: /streamGenerateContent/,
    error: (code, message) => ({ error: { code, message, status: 'SOME' } }),
    word: sse({ candidates: [{ content: { parts: [{ text: 'so' }], role: 'model' } }] }),
    refused: candidateEnd('SAFETY'),
    odd: candidateEnd('ODD'),
    broken: sse({ error: { code: 500, message: 'The engine broke' } }),
  },
]

/** One wrong answer, and what has to be made of it. */
export interface Wrong {
  name: string
  code: string
  /** Requests in all: a failure that may pass is tried again four times. */
  attempts: 1 | 5
  said: RegExp
  answer(response: ServerResponse, protocol: Protocol): void
}

const stream = { 'content-type': 'text/event-stream' }
const json = { 'content-type': 'application/json' }

function status(number: number, code: string, attempts: 1 | 5, said = 'Something is wrong'): Wrong {
  return {
    name: `${number} ${said.slice(0, 30)}`,
    code,
    attempts,
    said: new RegExp(`answered ${number}: ${said.slice(0, 30)}`),
    answer: (response, { error }) =>
      response.writeHead(number, json).end(JSON.stringify(error(number, said))),
  }
}

function answering(
  name: string,
  expected: Pick<Wrong, 'code' | 'attempts' | 'said'>,
  answer: Wrong['answer'],
): Wrong {
  return { name, ...expected, answer }
}

/** Breaks the connection in the middle of a body, with what has been said on its way. */
function breakOff(response: ServerResponse, said: string): void {
  response.writeHead(200, stream)
  response.write(said || ': hello\n\n', () => response.socket?.end())
}

const failed = (attempts: 1 | 5, said: RegExp) => ({ code: 'model_failed', attempts, said })
const config = (said: RegExp) => ({ code: 'model_config', attempts: 1 as const, said })
const isCut = (attempts: 1 | 5, said = /cut off|broke/) => ({ code: 'model_cut', attempts, said })

export const wrongAnswers: readonly Wrong[] = [
  status(400, 'model_failed', 1),
  status(400, 'context_full', 1, 'maximum context length is 8192 tokens'),
  status(401, 'model_auth', 1),
  status(402, 'model_failed', 1),
  status(403, 'model_auth', 1),
  status(404, 'model_config', 1),
  status(408, 'model_failed', 5),
  status(413, 'context_full', 1),
  status(422, 'model_failed', 1),
  status(429, 'model_overloaded', 5),
  status(500, 'model_failed', 5),
  status(503, 'model_overloaded', 5),
  status(504, 'model_failed', 5),
  status(529, 'model_overloaded', 5),
  answering('a 429 for an hour', { code: 'model_overloaded', attempts: 1, said: /429/ }, (to, of) =>
    to.writeHead(429, { ...json, 'retry-after': '3600' }).end(JSON.stringify(of.error(429, 'x'))),
  ),
  answering('a 500 not to be tried again', failed(1, /answered 500/), (to, of) =>
    to
      .writeHead(500, { ...json, 'x-should-retry': 'false' })
      .end(JSON.stringify(of.error(500, 'x'))),
  ),
  answering('a page of 502', failed(5, /answered 502: a web page/), (to) =>
    to.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>'),
  ),
  answering('a 500 without a word', failed(5, /answered 500: nothing/), (to) =>
    to.writeHead(500).end(),
  ),
  answering('a 400 that is no JSON', failed(1, /answered 400: \{"error/), (to) =>
    to.writeHead(400, json).end('{"error'),
  ),
  answering('a redirect', config(/redirects to http:\/\/elsewhere/), (to) =>
    to.writeHead(307, { location: 'http://elsewhere.example/' }).end(),
  ),
  answering('a page to log in at', config(/text\/html, not with an event stream/), (to) =>
    to.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>'),
  ),
  answering('an answer in one piece', config(/application\/json, not with an event/), (to) =>
    to.writeHead(200, json).end('{"hello":"there"}'),
  ),
  answering('garbage', failed(1, /sent something that is not/), (to) =>
    to.writeHead(200, stream).end('data: {"choices":\n\n'),
  ),
  answering('garbage behind a word', failed(1, /sent something that is not/), (to, { word }) =>
    to.writeHead(200, stream).end(`${word}data: [[[\n\n`),
  ),
  answering('an empty stream', isCut(5), (to) => to.writeHead(200, stream).end()),
  answering('a stream without an end', isCut(1), (to, { word }) =>
    to.writeHead(200, stream).end(word),
  ),
  answering('a line that breaks at once', isCut(5), (to) => breakOff(to, '')),
  answering('a line that breaks behind a word', isCut(1), (to, { word }) => breakOff(to, word)),
  answering('an error in the stream', failed(5, /The engine broke/), (to, { broken }) =>
    to.writeHead(200, stream).end(broken),
  ),
  answering('an error behind a word', failed(1, /The engine broke/), (to, { word, broken }) =>
    to.writeHead(200, stream).end(word + broken),
  ),
  answering(
    'a refusal',
    { code: 'model_refused', attempts: 1, said: /would not answer/ },
    (to, { word, refused }) => to.writeHead(200, stream).end(word + refused),
  ),
  answering('an end for a new reason', failed(1, /odd|ODD/), (to, { word, odd }) =>
    to.writeHead(200, stream).end(word + odd),
  ),
  answering(
    'a closed connection',
    { code: 'model_unreachable', attempts: 5, said: /closed the connection\. Is the network/ },
    (to) => to.socket?.destroy(),
  ),
]

const silent = (attempts: 1 | 5) => ({
  code: 'model_silent',
  attempts,
  said: /has said nothing for .* modelSilenceSeconds/,
})

export const slowAnswers: readonly Wrong[] = [
  answering('no answer', silent(5), () => undefined),
  answering('headers and no more', silent(1), (to) => to.writeHead(200, stream).flushHeaders()),
  answering('a word and no more', silent(1), (to, { word }) =>
    to.writeHead(200, stream).write(word),
  ),
]
