import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSignal, type Signal } from './signal.ts'

/** One reply of the script, in the chat completions streaming format. */
export interface ScriptedReply {
  /** Sent as one delta each. */
  pieces: readonly string[]
  /** After the pieces: end well, hit the output limit, break off, or stay open until released. */
  ending?: 'stop' | 'length' | 'cut' | Promise<void>
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
  const script: ScriptedReply[] = []
  const requests: ChatRequest[] = []
  const arrived: Signal = createSignal()
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes: Buffer[] = []
    for await (const chunk of request) bytes.push(chunk as Buffer)
    const body = Buffer.concat(bytes).toString('utf8')
    const asked: ChatRequest = { body, messages: JSON.parse(body).messages }
    requests.push(asked)
    arrived.fire()
    const reply = script.shift() ?? replyOf(otherwise(asked))
    if (reply.status !== undefined) {
      response.writeHead(reply.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `scripted ${reply.status}` } }))
      return
    }
    await stream(response, reply)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    say(...replies) {
      script.push(...replies.map(replyOf))
    },
    hush: () => void script.splice(0),
    async request(n) {
      await arrived.until(() => requests.length >= n)
      return requests[n - 1]!
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function stream(response: ServerResponse, reply: ScriptedReply): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`)
  const chunk = (delta: object, finish: string | null) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  send(chunk({ role: 'assistant', content: '' }, null))
  for (const piece of reply.pieces) send(chunk({ content: piece }, null))
  const ending = reply.ending ?? 'stop'
  // Closed in the middle of a chunked body: everything sent arrives, its end does not.
  if (ending === 'cut') return void response.socket?.end()
  if (typeof ending !== 'string') await ending
  send(chunk({}, ending === 'length' ? 'length' : 'stop'))
  send({
    choices: [],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 64 },
    },
  })
  response.end('data: [DONE]\n\n')
}

function replyOf(reply: string | ScriptedReply): ScriptedReply {
  return typeof reply === 'string' ? inPieces(reply) : reply
}

/** A few characters a delta, so that tags are split. */
function inPieces(text: string): ScriptedReply {
  return { pieces: text.match(/[\s\S]{1,5}/g) ?? [] }
}
