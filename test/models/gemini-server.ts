import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSignal } from '../support/signal.ts'
import { whyRefused } from './gemini-rules.ts'
import { type WrittenReply, written } from './gemini-script.ts'
import type { ProviderRequest, ProviderServer, ScriptedReply } from './provider.ts'

export const key = 'a-key-of-gemini'

/** Google’s server: its paths, its streaming format, its errors, and its refusals. */
export async function startGeminiServer(): Promise<ProviderServer> {
  const script: ScriptedReply[] = []
  const requests: ProviderRequest[] = []
  const arrived = createSignal()
  let sizes: readonly number[] = []
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes: Buffer[] = []
    for await (const chunk of request) bytes.push(chunk as Buffer)
    const asked = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(bytes).toString('utf8'),
    }
    requests.push(asked)
    arrived.fire()
    const fault = faultIn(asked)
    if (fault !== null) return refuse(response, fault)
    const reply = script.shift() ?? { parts: [{ type: 'text', text: '(the script is over)' }] }
    if (reply.error) return refuse(response, reply.error)
    await stream(response, { reply, sizes })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    say(...replies) {
      script.push(
        ...replies.map((reply): ScriptedReply =>
          typeof reply === 'string' ? { parts: [{ type: 'text', text: reply }] } : reply,
        ),
      )
    },
    hush: () => void script.splice(0),
    async request(n) {
      await arrived.until(() => requests.length >= n)
      return requests[n - 1]!
    },
    cutAt(...wanted) {
      sizes = wanted
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Failure = NonNullable<ScriptedReply['error']>

const statuses: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

function faultIn({ path, headers, body }: ProviderRequest): Failure | null {
  const model = /^\/v1beta\/models\/([^/:]+):streamGenerateContent\?alt=sse$/.exec(path)?.[1]
  if (model === undefined) return { status: 404, message: 'Requested entity was not found.' }
  if (headers['x-goog-api-key'] !== key)
    return { status: 400, message: 'API key not valid. Please pass a valid API key.' }
  const message = whyRefused(body, model)
  return message === null ? null : { status: 400, message }
}

/** When to come back is not in a header but in the details. */
function refuse(response: ServerResponse, { status: code, message, retryAfter }: Failure): void {
  const retry = retryAfter !== undefined && {
    details: [
      { '@type': 'type.googleapis.com/google.rpc.Help', links: [] },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` },
    ],
  }
  const error = { code, message, status: statuses[code] ?? 'UNKNOWN', ...retry }
  response.writeHead(code, { 'content-type': 'application/json; charset=UTF-8' })
  response.end(JSON.stringify({ error }, null, 2))
}

/** The events of a reply; the last one says why it ended. */
export function events({ parts, finish, usage }: WrittenReply): readonly string[] {
  const rest = `"usageMetadata": ${usage},"modelVersion": "gemini-3-pro-preview","responseId": "r1"`
  const event = (candidate: string) => `{"candidates": [{${candidate}"index": 0}],${rest}}`
  const content = (json: string) => `"content": {"parts": [${json}],"role": "model"},`
  return [...parts.map(({ json }) => event(content(json))), event(`"finishReason": "${finish}",`)]
}

/** With the line ends that Google uses; a line break in the JSON begins another data line. */
export function sse(event: string): string {
  const lines = event.split('\n').map((line) => `data: ${line}\r\n`)
  return `${lines.join('')}\r\n`
}

async function stream(
  response: ServerResponse,
  { reply, sizes }: { reply: ScriptedReply; sizes: readonly number[] },
): Promise<void> {
  const { ending = 'done' } = reply
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const all = events(written(reply)).map(sse)
  const last = all.pop() ?? ''
  await send(response, all.join(''), sizes)
  // Closed in the middle of a chunked body: everything sent arrives, its end does not.
  if (ending === 'cut') return void response.socket?.end()
  if (ending === 'endless') return void response.end()
  if (typeof ending !== 'string') await ending
  await send(response, last, sizes)
  response.end()
}

async function send(
  response: ServerResponse,
  text: string,
  sizes: readonly number[],
): Promise<void> {
  const bytes = Buffer.from(text)
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes.length === 0 ? bytes.length : Math.max(1, sizes[n % sizes.length]!)
    const piece = bytes.subarray(at, at + size)
    await new Promise<void>((resolve, reject) => {
      response.write(piece, (error) => (error ? reject(error) : resolve()))
    })
    at += size
  }
}
