// needs: openssl
import { once } from 'node:events'
import { createServer as createPlain } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Agents, createAgents } from '../../src/server/model/transport/agents.ts'
import { post } from '../../src/server/model/transport/post.ts'
import { tempFolder } from '../support/temp.ts'
import { certificateFor, startConnectProxy } from './connect-proxy.ts'

type Proxy = Awaited<ReturnType<typeof startConnectProxy>>

const certified: { key: string; cert: string } = { key: '', cert: '' }
let provider: ReturnType<typeof createSecure>
let plain: ReturnType<typeof createPlain>
let proxy: Proxy
let secureProxy: Proxy
let plainProxy: Proxy
let connections = 0

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

beforeAll(async () => {
  const folder = await tempFolder()
  Object.assign(certified, certificateFor('api.test', folder.path))
  await folder.remove()
  const answer = (request: object, response: { end(text: string): void }) =>
    response.end(`heard ${JSON.stringify(Object.keys(request).length > 0)}`)
  provider = createSecure(certified, answer)
  provider.on('secureConnection', () => connections++)
  plain = createPlain(answer)
  await once(provider.listen(0, '127.0.0.1'), 'listening')
  await once(plain.listen(0, '127.0.0.1'), 'listening')
  proxy = await startConnectProxy(portOf(provider))
  plainProxy = await startConnectProxy(portOf(plain))
  secureProxy = await startConnectProxy(portOf(provider), { secure: certified })
})

beforeEach(() => {
  connections = 0
  for (const one of [proxy, plainProxy, secureProxy]) {
    one.behave('open')
    one.asked.splice(0)
  }
})

afterAll(async () => {
  for (const one of [proxy, plainProxy, secureProxy]) await one.close()
  for (const one of [provider, plain]) {
    one.closeAllConnections()
    one.close()
  }
})

const secret = 'hunter2'

function through(one: { port: number }, start = `http://me:${secret}@`, tunnelMs?: number): Agents {
  const address = `${start}127.0.0.1:${one.port}`
  const env = { HTTPS_PROXY: address, HTTP_PROXY: address }
  return createAgents({ env, ca: certified.cert, ...(tunnelMs && { tunnelMs }) })
}

async function say(agents: Agents, url = 'https://api.test/v1/x'): Promise<string> {
  const { signal } = new AbortController()
  return text(await post({ url, who: 'The model', headers: {}, body: '{}', signal, agents }))
}

const basic = `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`

test('[MODEL89] a provider is reached through the proxy that the environment names, and its connection is kept', async () => {
  const agents = through(proxy)
  for (let n = 0; n < 3; n++) expect(await say(agents)).toBe('heard true')
  expect(proxy.asked).toEqual([{ line: 'CONNECT api.test:443', authorization: basic }])
  expect(connections).toBe(1)
})

test('[MODEL89] a proxy of TLS shows its own certificate, and a plain target is asked for with its whole address', async () => {
  // Its certificate is for another name: as for any server, that is not trusted.
  await expect(say(through(secureProxy, 'https://'))).rejects.toMatchObject({
    code: 'model_unreachable',
    message: expect.stringMatching(/The proxy at .* certificate that is not trusted/),
  })
  expect(await say(through(plainProxy), 'http://api.test:81/v1/x')).toBe('heard true')
  const line = 'POST http://api.test:81/v1/x'
  expect(plainProxy.asked).toEqual([{ line, authorization: basic }])
})

test.each([
  [403, 'model_config', false, /answered 403: it does not let api\.test:443 through.*NO_PROXY/],
  [407, 'model_config', false, /does not accept the name and password in HTTPS_PROXY/],
  [502, 'model_unreachable', true, /answered 502: it cannot reach api\.test:443/],
  ['hang', 'model_unreachable', true, /did not answer within 0\.05 s.*HTTPS_PROXY/],
  ['close', 'model_unreachable', true, /closed the connection before it answered.*HTTPS_PROXY/],
  ['garbage', 'model_unreachable', true, /not HTTP.*HTTPS_PROXY/],
] as const)(
  '[MODEL89] a proxy that says %s is told as %s',
  async (manner, code, transient, said) => {
    proxy.behave(manner)
    const patience = manner === 'hang' ? 50 : undefined
    const agents = through(proxy, undefined, patience)
    const error = await say(agents).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code, transient })
    expect(String(error)).toMatch(said)
    expect(String(error)).toContain(`127.0.0.1:${proxy.port}`)
    expect(JSON.stringify([String(error), error])).not.toMatch(new RegExp(`${secret}|${basic}`))
  },
)

test('[MODEL89] a proxy that wants a password, is not there, or speaks another protocol is told as that', async () => {
  proxy.behave(407)
  await expect(say(through(proxy, 'http://'))).rejects.toThrow(/wants a name and a password/)
  const gone = await startConnectProxy(portOf(provider))
  await gone.close()
  await expect(say(through(gone))).rejects.toThrow(/cannot be reached\. Is it running/)
  await expect(say(through(proxy, `socks5://me:${secret}@`))).rejects.toThrow(
    /HTTPS_PROXY names a proxy that speaks socks5; only http/,
  )
})

test('[MODEL89] a certificate that nobody trusts is told with what to do, and not asked again', async () => {
  const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }
  await expect(say(createAgents({ env }))).rejects.toMatchObject({
    code: 'model_config',
    transient: false,
    message: expect.stringMatching(/certificate that is not trusted.*NODE_EXTRA_CA_CERTS/),
  })
})
