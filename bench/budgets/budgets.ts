import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { limits } from '../../src/protocol/limits.ts'
import { startServer, type TestServer } from '../../test/support/server.ts'
import { ms, type Row } from '../stats.ts'
import { worstBodies } from './bodies.ts'
import { watchHealth } from './health-watch.ts'
import { heavyReplies } from './heavy-replies.ts'

const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        requestBody: z.object({ description: z.string() }).optional(),
      }),
    ),
  ),
})

interface Request {
  what: string
  path: string
  init: RequestInit
}

/** What the worst that may be said costs everybody else: the server's routes, and the page. */
export async function budgets(): Promise<readonly Row[]> {
  return [...(await health()), ...(await heavyReplies())]
}

async function health(): Promise<readonly Row[]> {
  const server = await startServer()
  const session = await server.session()
  const requests = await worstRequests(server, session.id)
  const watch = watchHealth(server)
  await pause(500)
  watch.longest()
  await pause(5_000)
  const idle = watch.longest()
  const waits: { what: string; wait: number }[] = []
  for (const request of requests) {
    await send(server, request)
    waits.push({ what: request.what, wait: watch.longest() - idle })
  }
  await watch.close()
  session.close()
  await server.close()
  const worst = waits.sort((a, b) => b.wait - a.wait).slice(0, 3)
  const routes = new Set(waits.map(({ what }) => what.split(' ')[0])).size
  return [
    { what: 'health, nothing else asked, longest of 5 s', figure: ms(idle) },
    ...worst.map(({ what, wait }, at) => ({
      what: `health waits longer, no. ${at + 1} of ${waits.length} worst requests: ${what}`,
      figure: ms(Math.max(0, wait)),
      beside: at === 0 ? `${routes} routes; wanted ≤ 100 ms` : '',
    })),
  ]
}

/** Reads no more of the answer than that it came. */
async function send({ url, token }: TestServer, { path, init }: Request): Promise<void> {
  const control = new AbortController()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { ...init, headers, signal: control.signal })
  // Work that its answer did not wait for is heard of, too.
  await pause(20)
  control.abort()
  await response.body?.cancel().catch(() => undefined)
}

async function worstRequests(server: TestServer, session: string): Promise<readonly Request[]> {
  const answer = await fetch(`${server.url}/openapi.json`)
  const { paths } = Document.parse(await answer.json())
  const requests: Request[] = []
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { operationId, requestBody }] of Object.entries(methods)) {
      const place = path
        .replace('{team}', 'default')
        .replace('/tasks/{id}', '/tasks/T0001')
        .replaceAll(/\{\w+\}/g, session)
      if (method === 'get') requests.push(...asked(operationId, place))
      else {
        const most = /\d+/.exec(requestBody?.description ?? '')?.[0] ?? limits.tinyBodyBytes
        for (const [kind, body] of Object.entries(worstBodies(Number(most))))
          requests.push({
            what: `${operationId} ${kind}`,
            path: place,
            init: { method: method.toUpperCase(), body },
          })
      }
    }
  return [...requests, ...legal(session)]
}

function asked(name: string, path: string): readonly Request[] {
  const long = `${path}?text=${'x'.repeat(limits.queryChars)}&cursor=${limits.queryChars}`
  const many = `${path}?${'a=1&'.repeat(3_900)}b=1`
  return [
    { what: `${name} long`, path: long, init: {} },
    { what: `${name} many`, path: many, init: {} },
  ]
}

/** Those that are not refused. */
function legal(session: string): readonly Request[] {
  const post = (what: string, path: string, body: unknown): Request => ({
    what,
    path,
    init: { method: 'POST', body: JSON.stringify(body) },
  })
  const messages = Array.from({ length: 1_000 }, () => ({
    role: 'user',
    content: 'x'.repeat(1_000),
  }))
  const text = 'x y\n'.repeat(limits.inputChars / 4)
  return [
    post('send accepted', `/v1/sessions/${session}/send`, { text, as: 'text' }),
    post('send invisible', `/v1/sessions/${session}/send`, {
      text: '\u200b'.repeat(limits.inputChars),
    }),
    post('agent accepted', '/api/agent', { messages }),
  ]
}
