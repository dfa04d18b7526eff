import type { ServerResponse } from 'node:http'
import type { ProviderServer, ScriptedReply } from './provider.ts'
import { fail, type Failure, scriptIsOver, startProvider } from './scripted-provider.ts'

export const apiKey = 'a-key-of-openai'

/** Ids that the server made up; they are new each time. */
export const madeUp = /call_auto_\d+/g

/** What one of OpenAI’s two protocols adds to a server. */
export interface Format {
  path: string
  /** Why the real one would answer with 400; null if it would not. */
  refusalOf(body: string): string | null
  /** The events of a reply: what is said, and how it ends. */
  events(reply: ScriptedReply): { said: readonly string[]; end: readonly string[] }
}

export interface OpenaiServer extends ProviderServer {
  /** A stream of these very bytes; it closes after the last. */
  sayBytes(text: string): void
  /** These bytes, and then a connection that breaks. */
  sayCut(text: string): void
  /** This status with this very body. */
  sayError(status: number, body: string, headers?: Readonly<Record<string, string>>): void
}

type Raw =
  | { bytes: string; isCut: boolean }
  | { status: number; body: string; headers: Readonly<Record<string, string>> }

export async function startOpenaiServer(format: Format): Promise<OpenaiServer> {
  const { script, ...server } = await startProvider<Raw>({
    basePath: '/v1',
    idPrefix: 'call_auto_',
    async answer({ path, headers, body }, { response, next, stream }) {
      if (path !== format.path)
        return refuse(response, { status: 404, message: `Invalid URL (${path})` })
      if (headers['authorization'] !== `Bearer ${apiKey}`)
        return refuse(response, { status: 401, message: 'Incorrect API key provided' })
      const refusal = format.refusalOf(body)
      if (refusal !== null) return refuse(response, { status: 400, message: refusal })
      const reply = next() ?? scriptIsOver
      if (!('parts' in reply)) return sayRaw(response, reply)
      if (reply.error) return refuse(response, reply.error)
      const { said, end } = format.events(reply)
      await stream({ said: said.join(''), end: end.join(''), ending: reply.ending ?? 'done' })
    },
  })
  return {
    ...server,
    sayBytes: (bytes) => void script.push({ bytes, isCut: false }),
    sayCut: (bytes) => void script.push({ bytes, isCut: true }),
    sayError: (status, body, headers = {}) => void script.push({ status, body, headers }),
  }
}

function sayRaw(response: ServerResponse, reply: Raw): void {
  if ('status' in reply) return void response.writeHead(reply.status, reply.headers).end(reply.body)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (!reply.isCut) return void response.end(reply.bytes)
  response.write(reply.bytes)
  response.socket?.end()
}

const kinds: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  400: ['invalid_request_error', null],
  401: ['invalid_request_error', 'invalid_api_key'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
}

function refuse(response: ServerResponse, error: Failure): void {
  const [type, code] = kinds[error.status] ?? ['server_error', null]
  fail(response, error, { error: { message: error.message, type, param: null, code } })
}

/** A few characters a piece, so that everything is split. */
export function inPieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,5}/gu) ?? []
}
