import type { ServerResponse } from 'node:http'
import type { Streamed } from '../support/scripted-server.ts'
import {
  eventText,
  messageEnd,
  messageStart,
  partEvents,
  type StreamEvent,
} from './anthropic-events.ts'
import { type Block, type Body, createBinding, refusalOf, sign } from './anthropic-rules.ts'
import type { ProviderServer, ScriptedPart, ScriptedReply } from './provider.ts'
import { fail, type Failure, scriptIsOver, startProvider } from './scripted-provider.ts'

/** The only key that the server accepts. */
export const apiKey = 'test-key'

/** Ids that the server made up; they are new each time. */
export const madeUp = /toolu_auto_\d+/g

export interface AnthropicServer extends ProviderServer {
  /** A stream of these very events; it closes after the last. */
  sayEvents(...events: readonly StreamEvent[]): void
}

const kinds: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

const versions = ['2023-06-01', '2026-10-21']

export async function startAnthropic(): Promise<AnthropicServer> {
  const binding = createBinding()
  const { script, ...server } = await startProvider<{ events: readonly StreamEvent[] }>({
    idPrefix: 'toolu_auto_',
    async answer({ path, headers, body: text }, { response, next, stream }) {
      if (path !== '/v1/messages') return refuse(response, { status: 404, message: 'Not found' })
      // Its SDKs send the key as a bearer since the version of 2026; both are taken with both.
      const isKnown =
        headers['x-api-key'] === apiKey || headers['authorization'] === `Bearer ${apiKey}`
      if (!isKnown) return refuse(response, { status: 401, message: 'invalid x-api-key' })
      if (!versions.includes(String(headers['anthropic-version'])))
        return refuse(response, { status: 400, message: 'anthropic-version: header is required' })
      const body: Body = JSON.parse(text)
      const refusal = refusalOf(body) ?? binding.refusalOf(body)
      if (refusal !== null) return refuse(response, { status: 400, message: refusal })
      const reply = next() ?? scriptIsOver
      if ('events' in reply) return void response.end(inText(reply.events))
      if (reply.error) return refuse(response, reply.error)
      binding.bind(body, reply.parts.flatMap(blockOf))
      await stream(streamOf(reply))
    },
  })
  return { ...server, sayEvents: (...events) => void script.push({ events }) }
}

function refuse(response: ServerResponse, error: Failure): void {
  const type = kinds[error.status] ?? 'api_error'
  const { message } = error
  fail(response, error, { type: 'error', error: { type, message }, request_id: 'req_01' })
}

const reasons = { done: 'end_turn', length: 'max_tokens', refused: 'refusal' } as const

function streamOf(reply: ScriptedReply): Streamed {
  const { ending = 'done' } = reply
  const blocks = reply.parts.flatMap(partEvents)
  // What is cut off has an open block at its end.
  const said = ending === 'cut' ? blocks.slice(0, -1) : blocks
  const hasCalls = reply.parts.some((part) => part.type === 'call')
  const reason = reasons[ending as keyof typeof reasons] ?? reasons.done
  return {
    said: inText([messageStart(reply), ...said.slice(0, 1), { type: 'ping' }, ...said.slice(1)]),
    end: inText(messageEnd(reason === 'end_turn' && hasCalls ? 'tool_use' : reason, reply)),
    ending,
  }
}

const inText = (events: readonly StreamEvent[]): string => events.map(eventText).join('')

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
