import type { ServerResponse } from 'node:http'
import { whyRefused } from './gemini-rules.ts'
import { type WrittenReply, written } from './gemini-script.ts'
import type { ProviderRequest, ProviderServer } from './provider.ts'
import { type Failure, scriptIsOver, startProvider } from './scripted-provider.ts'

export const key = 'a-key-of-gemini'

/** Google’s server: its paths, its streaming format, its errors, and its refusals. */
export async function startGeminiServer(): Promise<ProviderServer> {
  return startProvider({
    async answer(asked, { response, next, stream }) {
      const fault = faultIn(asked)
      if (fault !== null) return refuse(response, fault)
      const reply = next() ?? scriptIsOver
      if (reply.error) return refuse(response, reply.error)
      const all = events(written(reply)).map(sse)
      const end = all.pop() ?? ''
      await stream({ said: all.join(''), end, ending: reply.ending ?? 'done' })
    },
  })
}

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
