import type { ServerResponse } from 'node:http'
import {
  type Exchange,
  type ScriptedServer,
  startScriptedServer,
} from '../support/scripted-server.ts'
import type { ProviderRequest, ProviderServer, ScriptedReply } from './provider.ts'

export type Failure = NonNullable<ScriptedReply['error']>

/** A reply of the script, or what only one provider’s tests say: bytes, events. */
type Answer<Raw> = (
  request: ProviderRequest,
  exchange: Exchange<ScriptedReply | Raw>,
) => Promise<void> | void

/** What all scripted providers have in common: everything but paths, formats and refusals. */
export async function startProvider<Raw = never>({
  basePath = '',
  idPrefix,
  answer,
}: {
  basePath?: string
  /** Calls without an id get one that begins so and that no other has; without it they stay without. */
  idPrefix?: string
  answer: Answer<Raw>
}): Promise<ProviderServer & Pick<ScriptedServer<ProviderRequest, ScriptedReply | Raw>, 'script'>> {
  const { origin, script, requests, request, cutAt, close } = await startScriptedServer<
    ProviderRequest,
    ScriptedReply | Raw
  >({ read: (asked) => asked, answer })
  return {
    baseUrl: `${origin}${basePath}`,
    script,
    requests,
    say: (...replies) => void script.push(...replies.map((reply) => replyOf(reply, idPrefix))),
    hush: () => void script.splice(0),
    request,
    cutAt,
    close,
  }
}

export const scriptIsOver: ScriptedReply = {
  parts: [{ type: 'text', text: '(the script is over)' }],
}

let ids = 0

function replyOf(reply: string | ScriptedReply, idPrefix: string | undefined): ScriptedReply {
  if (typeof reply === 'string') return { parts: [{ type: 'text', text: reply }] }
  if (idPrefix === undefined) return reply
  const parts = reply.parts.map((part) =>
    part.type === 'call' ? { ...part, id: part.id ?? `${idPrefix}${++ids}` } : part,
  )
  return { ...reply, parts }
}

/** An error in a provider’s own shape, with when to come back in a header. */
export function fail(
  response: ServerResponse,
  { status, retryAfter }: Omit<Failure, 'message'>,
  shape: object,
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  })
  response.end(JSON.stringify(shape))
}
