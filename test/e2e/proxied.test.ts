// needs: openssl
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { certificateFor, startConnectProxy } from '../models/connect-proxy.ts'
import { listText } from '../models/plain-server.ts'
import { startServer } from '../support/server.ts'
import { tempFolder } from '../support/temp.ts'

const key = 'the-key-behind-the-proxy'
const secret = 'the-password-of-the-proxy'

/** A provider that only the proxy knows the way to. */
async function startFar() {
  const temp = await tempFolder()
  const certified = certificateFor('api.test', temp.path)
  const asked: string[] = []
  const far = createServer(certified, (request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    if (request.url === '/v1/models') return void response.end(listText('far-1'))
    response.setHeader('content-type', 'text/event-stream')
    const choice = { index: 0, delta: { content: 'From afar.' }, finish_reason: 'stop' }
    response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`)
  })
  await once(far.listen(0, '127.0.0.1'), 'listening')
  const proxy = await startConnectProxy((far.address() as AddressInfo).port)
  const ca = join(temp.path, 'ca.pem')
  await writeFile(ca, certified.cert)
  return {
    ca,
    asked,
    proxy,
    async close() {
      await proxy.close()
      far.closeAllConnections()
      far.close()
      await temp.remove()
    },
  }
}

test('[MODEL89] a whole server reaches its provider through the proxy, for the list and for replies, and says when it refuses', async () => {
  const { ca, asked, proxy, close } = await startFar()
  const server = await startServer({
    env: {
      HTTPS_PROXY: `http://me:${secret}@127.0.0.1:${proxy.port}`,
      NODE_EXTRA_CA_CERTS: ca,
      FAR_KEY: key,
    },
    config: { providers: { far: { baseUrl: 'https://api.test/v1', keyEnv: 'FAR_KEY' } } },
  })
  onTestFinished(async () => {
    await server.close()
    await close()
  })
  const session = await server.session()
  await session.send('hello')
  expect(await session.until('agent_end')).toMatchObject({ reason: 'done' })
  expect(session.all('epoch_start')).toMatchObject([{ model: 'far/far-1' }])
  expect(JSON.stringify(session.events)).toContain('From afar.')
  expect(asked).toEqual([`GET /v1/models Bearer ${key}`, `POST /v1/chat/completions Bearer ${key}`])
  const login = `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`
  expect(proxy.asked[0]).toEqual({ line: 'CONNECT api.test:443', authorization: login })
  proxy.behave(407)
  session.close()
  await server.restart()
  const again = server.reopen(session)
  await again.send('and now?')
  expect(await again.until('agent_end', 2)).toMatchObject({ reason: 'failed' })
  expect(again.all('error').at(-1)?.message).toMatch(/proxy/i)
  const told = JSON.stringify(again.events)
  const diagnosed = await readFile(join(server.home, 'diagnostics.jsonl'), 'utf8')
  for (const hidden of [key, secret, login.slice(6)]) expect(told + diagnosed).not.toContain(hidden)
  again.close()
})
