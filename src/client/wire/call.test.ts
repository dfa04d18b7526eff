import { bearer } from './access.ts'
import { expect, test } from 'vitest'
import { json, startServer, type Handler } from '../../../test/client/session-server.ts'
import { routes } from '../../protocol/http/routes.ts'
import { connect } from './connect.ts'
import { ClientError, refusalOf } from './client-error.ts'

const session = '01900000-0000-7000-8000-000000000001'
const accepted = { first: 2, head: 3 }

async function withServer<T>(
  handler: Handler,
  use: (tools: {
    client: ReturnType<typeof connect>
    seen: Awaited<ReturnType<typeof startServer>>['seen']
  }) => Promise<T>,
): Promise<T> {
  const server = await startServer(handler)
  let keys = 0
  const client = connect({
    url: server.url,
    access: bearer('secret'),
    fetch,
    name: 'test',
    newKey: () => `key-${(keys += 1)}`,
    wait: async () => {},
  })
  try {
    return await use({ client, seen: server.seen })
  } finally {
    await server.close()
  }
}

test('[CLIENT1] a call sends what its route says, with token and name, and gives the parsed answer', () =>
  withServer(
    (_, response) => json(response, 200, { events: [], head: 7, extra: 'dropped' }),
    async ({ client, seen }) => {
      const input = { params: { id: session }, query: { after: 5, before: undefined } }
      expect(await client.call(routes.log, input)).toEqual({ events: [], head: 7 })
      expect(seen).toMatchObject([
        {
          method: 'GET',
          path: `/v1/sessions/${session}/log`,
          query: { after: '5' },
          headers: { authorization: 'Bearer secret', 'tandem-client': 'test' },
          body: undefined,
        },
      ])
    },
  ))

test('[CLIENT1] a refusal, nonsense and silence are told apart', () =>
  withServer(
    ({ path }, response) => {
      if (path === '/v1/health')
        return json(response, 401, { error: { code: 'unauthorized', message: 'wrong token' } })
      if (path === '/v1/tickets') return void response.writeHead(502).end('<html>')
      if (path === '/v1/secrets') return json(response, 201, { surprise: true })
      response.destroy()
    },
    async ({ client }) => {
      const failure = (work: Promise<unknown>) =>
        work.then(
          () => null,
          (error: unknown) => error,
        )
      const refused = await failure(client.call(routes.health, {}))
      expect(refusalOf(refused)).toEqual({ code: 'unauthorized', message: 'wrong token' })
      const kinds = await Promise.all([
        failure(client.call(routes.ticket, {})),
        failure(client.call(routes.secret, {})),
        failure(client.call(routes.rotate, {})),
      ])
      expect(kinds.map((error) => (error instanceof ClientError ? error.fault : error))).toEqual([
        { kind: 'garbled', status: 502 },
        { kind: 'garbled', status: 201 },
        { kind: 'unreachable' },
      ])
    },
  ))

test('[CLIENT28] a send whose answer is lost is repeated with the same key; the next send has its own', () => {
  let failures = 0
  return withServer(
    (_, response) => {
      failures += 1
      if (failures === 1) response.destroy()
      else if (failures === 2) response.writeHead(202, { 'content-length': '50' }).destroy()
      else json(response, 202, accepted)
    },
    async ({ client, seen }) => {
      expect(await client.send(session, { text: '!ls' })).toEqual(accepted)
      expect(await client.send(session, { text: 'ls', as: 'run' })).toEqual(accepted)
      const first = { text: '!ls', as: 'auto', key: 'key-1' }
      expect(seen.map(({ body }) => body)).toEqual([
        first,
        first,
        first,
        { text: 'ls', as: 'run', key: 'key-2' },
      ])
    },
  )
})

test('[CLIENT28] a refused send is not repeated', () =>
  withServer(
    (_, response) =>
      json(response, 409, { error: { code: 'queue_full', message: '100 inputs are waiting' } }),
    async ({ client, seen }) => {
      await expect(client.send(session, { text: 'x' })).rejects.toThrow('100 inputs are waiting')
      expect(seen).toHaveLength(1)
    },
  ))
