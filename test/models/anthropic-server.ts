import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSignal } from '../support/signal.ts'
import {
  eventText,
  messageEnd,
  messageStart,
  partEvents,
  type StreamEvent,
} from './anthropic-events.ts'
import { type Block, type Body, createBinding, refusalOf, sign } from './anthropic-rules.ts'
import type { ProviderRequest, ProviderServer, ScriptedPart, ScriptedReply } from './provider.ts'

/** The only key that the server accepts. */
export const apiKey = 'test-key'

/** Ids that the server made up; they are new each time. */
export const madeUp = /toolu_auto_\d+/g

export interface AnthropicServer extends ProviderServer {
  /** A stream of these very events; it closes after the last. */
  sayEvents(...events: readonly StreamEvent[]): void
}

type Scripted = ScriptedReply | { events: readonly StreamEvent[] }

const kinds: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

let ids = 0

export async function startAnthropic(): Promise<AnthropicServer> {
  const script: Scripted[] = []
  const requests: ProviderRequest[] = []
  const arrived = createSignal()
  const binding = createBinding()
  let sizes: readonly number[] = []
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const { url: path = '', headers } = request
    requests.push({ path, headers, body: text })
    arrived.fire()
    if (path !== '/v1/messages') return fail(response, { status: 404, message: 'Not found' })
    if (headers['x-api-key'] !== apiKey)
      return fail(response, { status: 401, message: 'invalid x-api-key' })
    if (headers['anthropic-version'] !== '2023-06-01')
      return fail(response, { status: 400, message: 'anthropic-version: header is required' })
    const body: Body = JSON.parse(text)
    const refusal = refusalOf(body) ?? binding.refusalOf(body)
    if (refusal !== null) return fail(response, { status: 400, message: refusal })
    const reply = script.shift() ?? replyOf('(the script is over)')
    if ('events' in reply) return void response.end(reply.events.map(eventText).join(''))
    if (reply.error) return fail(response, reply.error)
    binding.bind(body, reply.parts.flatMap(blockOf))
    await stream(response, reply, sizes)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    say(...replies) {
      script.push(...replies.map(replyOf))
    },
    sayEvents(...events) {
      script.push({ events })
    },
    hush: () => void script.splice(0),
    async request(n) {
      await arrived.until(() => requests.length >= n)
      return requests[n - 1]!
    },
    cutAt(...next) {
      sizes = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function fail(response: ServerResponse, error: NonNullable<ScriptedReply['error']>): void {
  const { status, message, retryAfter } = error
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  })
  const type = kinds[status] ?? 'api_error'
  response.end(JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_01' }))
}

const reasons = { done: 'end_turn', length: 'max_tokens', refused: 'refusal' } as const

async function stream(
  response: ServerResponse,
  reply: ScriptedReply,
  sizes: readonly number[],
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const send = async (events: readonly StreamEvent[]) => {
    for (const piece of cut(Buffer.from(events.map(eventText).join('')), sizes)) {
      response.write(piece)
      // Pieces written at once are read at once: the reader gets its turn between them.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const { ending = 'done' } = reply
  const blocks = reply.parts.flatMap(partEvents)
  // What is cut off has an open block at its end.
  const said = ending === 'cut' ? blocks.slice(0, -1) : blocks
  await send([messageStart(reply), ...said.slice(0, 1), { type: 'ping' }, ...said.slice(1)])
  // Closed in the middle of a chunked body: everything sent arrives, its end does not.
  if (ending === 'cut') return void response.socket?.end()
  if (ending === 'endless') return void response.end()
  if (typeof ending !== 'string') await ending
  const hasCalls = reply.parts.some((part) => part.type === 'call')
  const reason = typeof ending === 'string' ? reasons[ending] : reasons.done
  await send(messageEnd(reason === 'end_turn' && hasCalls ? 'tool_use' : reason, reply))
  response.end()
}

function* cut(bytes: Buffer, sizes: readonly number[]): Iterable<Buffer> {
  if (sizes.length === 0) return yield bytes
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const end = at + sizes[n % sizes.length]!
    yield bytes.subarray(at, end)
    at = end
  }
}

/** Calls get an id that no other has. */
function replyOf(reply: string | ScriptedReply): ScriptedReply {
  if (typeof reply === 'string') return { parts: [{ type: 'text', text: reply }] }
  const parts = reply.parts.map((part) =>
    part.type === 'call' ? { ...part, id: part.id ?? `toolu_auto_${++ids}` } : part,
  )
  return { ...reply, parts }
}

/** The part as it has to come back. */
function blockOf(part: ScriptedPart): readonly Block[] {
  if (part.type === 'text')
    return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
  if (part.type === 'thinking')
    return [{ type: 'thinking', thinking: part.text, signature: sign(part.text) }]
  const { id, name, args } = part
  return [{ type: 'tool_use', id: id!, name, input: JSON.parse(rawInput(args)) as unknown }]
}

/** Arguments as they have to come back. */
export function rawInput(args: string): string {
  if (args === '') return '{}'
  try {
    const parsed: unknown = JSON.parse(args)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return args
  } catch {
    // Kept inside an object.
  }
  return JSON.stringify({ invalid: args })
}
