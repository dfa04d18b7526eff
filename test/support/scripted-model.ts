import { startScriptedServer, type Streamed } from './scripted-server.ts'

/** One reply of the script, in the chat completions streaming format. */
export interface ScriptedReply {
  /** Sent as one delta each. */
  pieces: readonly string[]
  /** Thoughts before them, one delta each, as most compatible servers send them. */
  thoughts?: readonly string[]
  /** After the pieces: end well, hit the output limit, break off, or stay open until released. */
  ending?: 'stop' | 'length' | 'cut' | Promise<void>
  /** Said once an open end is released. */
  lastly?: string
  /** Answer with this status instead. */
  status?: number
}

export interface ChatRequest {
  /** The exact bytes that came, as text. */
  body: string
  messages: readonly { role: string; content: string }[]
}

/** A model server on loopback that says what the script says and records every request body. */
export interface ScriptedModel {
  baseUrl: string
  requests: readonly ChatRequest[]
  say(...replies: (string | ScriptedReply)[]): void
  /** Forgets what has not been said. */
  hush(): void
  /** Resolves when the n-th request (from 1) has arrived. */
  request(n: number): Promise<ChatRequest>
  close(): Promise<void>
}

export interface ScriptedModelOptions {
  /** What it says when the script is over: for sessions that talk to it at the same time. */
  otherwise?: (request: ChatRequest) => string | ScriptedReply
}

export async function startScriptedModel({
  otherwise = () => '(the script is over)',
}: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const { origin, script, requests, request, close } = await startScriptedServer<
    ChatRequest,
    ScriptedReply
  >({
    read: ({ body }) => ({ body, messages: JSON.parse(body).messages }),
    async answer(asked, { response, next, stream }) {
      const reply = next() ?? replyOf(otherwise(asked))
      if (reply.status === undefined) return stream(streamOf(reply))
      response.writeHead(reply.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `scripted ${reply.status}` } }))
    },
  })
  return {
    baseUrl: `${origin}/v1`,
    requests,
    say: (...replies) => void script.push(...replies.map(replyOf)),
    hush: () => void script.splice(0),
    request,
    close,
  }
}

function streamOf({ pieces, thoughts = [], ending = 'stop', lastly }: ScriptedReply): Streamed {
  const chunk = (delta: object, finish: string | null = null) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 7,
    prompt_tokens_details: { cached_tokens: 64 },
  }
  const deltas = [
    { role: 'assistant', content: '' },
    ...thoughts.map((thought) => ({ reasoning_content: thought })),
    ...pieces.map((content) => ({ content })),
  ]
  const last = chunk({}, ending === 'length' ? 'length' : 'stop')
  const rest = lastly === undefined ? '' : sse(chunk({ content: lastly }))
  return {
    said: deltas.map((delta) => sse(chunk(delta))).join(''),
    end: `${rest}${sse(last)}${sse({ choices: [], usage })}data: [DONE]\n\n`,
    ending,
  }
}

const sse = (data: object): string => `data: ${JSON.stringify(data)}\n\n`

function replyOf(reply: string | ScriptedReply): ScriptedReply {
  return typeof reply === 'string' ? inPieces(reply) : reply
}

/** A few characters a delta, so that tags are split. */
function inPieces(text: string): ScriptedReply {
  return { pieces: text.match(/[\s\S]{1,5}/g) ?? [] }
}
