import { setupOf } from '../../src/server/model/setup.ts'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { SocketFrame, type SocketRequest } from '../../src/protocol/stream/frame.ts'
import { ErrorBody } from '../../src/protocol/http/refusal.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { openAccess, type ServerAccess } from '../../src/server/access/open-access.ts'
import type { HttpDeps } from '../../src/server/http/deps.ts'
import { listen, type HttpServer } from '../../src/server/http/server.ts'
import { teamDeps } from '../support/teams.ts'
import { tempFolder } from '../support/temp.ts'
import { createScriptedHosts, type ScriptedHosts } from './scripted-hosts.ts'

export interface TestServer extends HttpServer {
  url: string
  token: string
  hosts: ScriptedHosts
  diagnostics: string[]
  shutdowns: { shells: string }[]
  /** Moves the injected clock on. */
  pass(ms: number): void
  /** A request with the token, unless `headers` say otherwise. */
  call(
    path: string,
    init?: Omit<RequestInit, 'headers'> & { headers?: Record<string, string>; json?: unknown },
  ): Promise<Response>
}

/** There is one model, and none can be added. */
export const noModels: HttpDeps['models'] = {
  initial: () => setupOf({ model: 'demo/demo', adapter: 'demo', dialect: 'tags' }),
  list: async () => [],
  add: async () => ({ works: false, says: 'no', model: null }),
  remove: async () => false,
  test: async () => ({ works: false, says: 'no', model: null }),
}

const first = 'a'.repeat(43)

export async function startTestServer(
  bounds: NonNullable<HttpDeps['bounds']> = {},
): Promise<TestServer> {
  const hosts = createScriptedHosts()
  const diagnostics: string[] = []
  const shutdowns: { shells: string }[] = []
  let clock = 0
  let token = first
  const listening = await listen(
    {
      hosts,
      ...teamDeps(),
      ...(await testAccess()),
      token: { current: () => token, rotate: async () => (token = 'b'.repeat(43)) },
      version: '1.2.3',
      models: noModels,
      shutdown: (options) => void shutdowns.push(options),
      diagnostics: (line) => void diagnostics.push(line),
      now: () => clock,
      bounds,
    },
    { port: 0, demanded: false },
  )
  if (!listening.ok) throw new Error(listening.error.message)
  const server = listening.value
  onTestFinished(() => server.close())
  const url = `http://127.0.0.1:${server.port}`
  return {
    ...server,
    url,
    token: first,
    hosts,
    diagnostics,
    shutdowns,
    pass: (ms) => void (clock += ms),
    call(path, { json, headers: given, ...init } = {}) {
      const headers = new Headers({ authorization: `Bearer ${first}`, ...given })
      if (json === undefined) return fetch(url + path, { ...init, headers })
      if (!headers.has('content-type')) headers.set('content-type', 'application/json')
      const method = init.method ?? 'POST'
      return fetch(url + path, { ...init, method, headers, body: JSON.stringify(json) })
    },
  }
}

/** Real keys in a folder that goes with the test. */
export async function testAccess(): Promise<ServerAccess> {
  const temp = await tempFolder()
  onTestFinished(temp.remove)
  return openAccess(temp.path, { isTokenKept: true, diagnose: () => {} })
}

export async function errorOf(response: Response): Promise<[number, string]> {
  const { error } = await bodyOf(response, ErrorBody)
  return [response.status, error.code]
}

export async function bodyOf<S extends z.ZodType>(
  response: Response,
  schema: S,
): Promise<z.output<S>> {
  return z.parse(schema, await response.json())
}

/** Bytes to the port as they are; everything that comes back until the server closes. */
export function raw(server: TestServer, request: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => (answer += data.toString('latin1')))
    socket.on('close', () => resolve(answer))
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)))
    socket.write(request)
  })
}

/** A list that fills and can be waited for. */
interface Inbox<T> {
  items: T[]
  put: (item: T) => void
  close: () => void
  /** Rejects when it is closed and the item has not come. */
  until: (found: (item: T) => boolean) => Promise<T>
}

export function inbox<T>(): Inbox<T> {
  const items: T[] = []
  const waiting = new Set<() => void>()
  let closed = false
  return {
    items,
    put(item: T) {
      items.push(item)
      waiting.forEach((check) => check())
    },
    close() {
      closed = true
      waiting.forEach((check) => check())
    },
    until(found: (item: T) => boolean): Promise<T> {
      return new Promise((resolve, reject) => {
        const check = () => {
          const item = items.find(found)
          if (item === undefined && !closed) return
          waiting.delete(check)
          if (item === undefined) reject(new Error(`never came, only ${JSON.stringify(items)}`))
          else resolve(item)
        }
        waiting.add(check)
        check()
      })
    },
  }
}

export interface Stream {
  response: Response
  messages: EventSourceMessage[]
  comments: string[]
  until(found: (message: EventSourceMessage) => boolean): Promise<EventSourceMessage>
  comment(): Promise<string>
  leave(): void
  ended: Promise<void>
}

export const isLive = ({ event }: EventSourceMessage) => event === 'live'

export async function openEvents(
  server: TestServer,
  path: string,
  headers: Record<string, string> = {},
): Promise<Stream> {
  const control = new AbortController()
  const response = await server.call(path, { headers, signal: control.signal })
  const messages = inbox<EventSourceMessage>()
  const comments = inbox<string>()
  const parser = createParser({ onEvent: messages.put, onComment: comments.put })
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const bytes of response.body!) parser.feed(decoder.decode(bytes, { stream: true }))
  }
  const ended = read()
    .catch(() => {})
    .finally(() => {
      messages.close()
      comments.close()
    })
  onTestFinished(() => control.abort())
  return {
    response,
    messages: messages.items,
    comments: comments.items,
    until: messages.until,
    comment: () => comments.until(() => true),
    leave: () => control.abort(),
    ended,
  }
}

export interface Tab {
  socket: WebSocket
  frames: SocketFrame[]
  say(request: SocketRequest): void
  until(found: (frame: SocketFrame) => boolean): Promise<SocketFrame>
  opened: Promise<unknown>
  closed: Promise<{ code: number; reason: string }>
}

export function openSocket(server: TestServer, headers: Record<string, string> = {}): Tab {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/v1/socket`, { headers })
  const frames = inbox<SocketFrame>()
  socket.on('message', (data: Buffer) => frames.put(SocketFrame.parse(JSON.parse(data.toString()))))
  socket.on('error', () => {})
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => {
      frames.close()
      resolve({ code, reason: reason.toString() })
    }),
  )
  const opened = new Promise((resolve) => socket.on('open', resolve))
  onTestFinished(() => socket.terminate())
  return {
    socket,
    frames: frames.items,
    say: (request) => socket.send(JSON.stringify(request)),
    until: frames.until,
    opened,
    closed,
  }
}

export async function ticketOf(server: TestServer): Promise<string> {
  const response = await server.call('/v1/tickets', { method: 'POST' })
  return (await bodyOf(response, routes.ticket.answer)).ticket
}

/** A socket that has shown its ticket. */
export async function openTab(server: TestServer): Promise<Tab> {
  const tab = openSocket(server)
  const ticket = await ticketOf(server)
  await tab.opened
  tab.say({ type: 'ticket', ticket })
  await tab.until(({ type }) => type === 'ready')
  return tab
}
