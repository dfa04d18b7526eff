import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { createAgents } from '../../src/server/model/transport/agents.ts'
import { send } from '../../src/server/model/transport/send.ts'

let server: Server
let sockets = 0
let requests = 0

async function start(answer: RequestListener) {
  sockets = 0
  requests = 0
  server = createServer((request, response) => {
    requests++
    answer(request, response)
  })
  server.on('connection', () => sockets++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const agents = createAgents()
  return async () => {
    const { signal } = new AbortController()
    return text(await send(url, { headers: {}, body: '{}', signal, agents }))
  }
}

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

test('[MODEL7] steps share one connection', async () => {
  const ask = await start((_, response) => response.end('ok'))
  for (let n = 0; n < 5; n++) expect(await ask()).toBe('ok')
  expect({ sockets, requests }).toEqual({ sockets: 1, requests: 5 })
})

test('[MODEL7] on a kept connection that closes as it is taken a request is sent once', async () => {
  const ask = await start((request, response) => {
    if (requests === 2) request.socket.destroy()
    else response.end('ok')
  })
  await ask()
  await expect(ask()).rejects.toThrow()
  expect({ sockets, requests }).toEqual({ sockets: 1, requests: 2 })
  expect(await ask()).toBe('ok')
  expect({ sockets, requests }).toEqual({ sockets: 2, requests: 3 })
})
