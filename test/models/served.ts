import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createAnthropicModel } from '../../src/server/model/anthropic/request.ts'
import { createGeminiModel } from '../../src/server/model/gemini/request.ts'
import type { OpenOptions } from '../../src/server/model/model.ts'
import { createChatModel } from '../../src/server/model/openai-chat/request.ts'
import { createResponsesModel } from '../../src/server/model/openai-responses/request.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { askOnce, type Read } from './openai-read.ts'

/** Answers as real providers were seen to give them, for each of the four wires. */

const wires = {
  'openai-chat': createChatModel,
  'openai-responses': createResponsesModel,
  anthropic: createAnthropicModel,
  gemini: createGeminiModel,
}
export type WireName = keyof typeof wires

/** The address of a server that answers so, once it has read the request, for the time of a test. */
export async function serve(answer: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => answer(request, response))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function ask(
  wire: WireName,
  answer: RequestListener,
  more: Partial<OpenOptions> = {},
): Promise<Read> {
  const baseUrl = await serve(answer)
  const setup = setupOf({ model: 'some/model', adapter: wire, dialect: 'tools' })
  const options = { setup, name: 'model', who: 'It', baseUrl, apiKey: 'a-key', ...more }
  return askOnce(wires[wire](options))
}

export function json(status: number, body: object, headers: object = {}): RequestListener {
  return (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
}

export function stream(...events: readonly (object | string)[]): RequestListener {
  return (_, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(sse(...events))
}

/** What is written as text is an event as it stands. */
export function sse(...events: readonly (object | string)[]): string {
  return events
    .map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`))
    .join('')
}

export const done = 'data: [DONE]\n\n'

export function chunk(delta: object, finish_reason: string | null = null): object {
  const choices = [{ index: 0, delta, finish_reason }]
  return { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices }
}

/** A reply to a list of models and to a request. */
export function provider(listed: RequestListener, asked: RequestListener): RequestListener {
  return (request, response) => (request.method === 'GET' ? listed : asked)(request, response)
}
