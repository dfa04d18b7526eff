import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wayTo } from './proxy.ts'

const proxy = { HTTPS_PROXY: 'http://proxy.example:3128', HTTP_PROXY: 'http://plain.example' }

function shown(url: string, env: Record<string, string>): string {
  const way = wayTo(new URL(url), env)
  if (way.type === 'direct') return 'direct'
  return way.type === 'wrong' ? way.why : way.proxy.shown
}

test.each([
  ['https://api.test/v1', {}, 'direct'],
  ['https://api.test/v1', proxy, 'proxy.example:3128'],
  ['http://api.test/v1', proxy, 'plain.example:80'],
  ['https://api.test', { https_proxy: 'low:1', HTTPS_PROXY: 'high:2' }, 'low:1'],
  ['https://api.test', { https_proxy: ' ', HTTPS_PROXY: 'https://high' }, 'high:443'],
  ['http://api.test', { HTTPS_PROXY: 'high:2' }, 'direct'],
  ['http://api.test', { ALL_PROXY: 'http://all:3' }, 'all:3'],
  ['https://127.0.0.1:1', proxy, 'direct'],
  ['https://[::1]:1', proxy, 'direct'],
  ['https://localhost', proxy, 'direct'],
  ['https://model.localhost', proxy, 'direct'],
  ['https://localhost.example', proxy, 'proxy.example:3128'],
  ['https://api.test', { ...proxy, NO_PROXY: '*' }, 'direct'],
  ['https://api.test', { ...proxy, NO_PROXY: 'api.test' }, 'direct'],
  ['https://API.test.', { ...proxy, NO_PROXY: 'Api.Test' }, 'direct'],
  ['https://eu.api.test', { ...proxy, NO_PROXY: 'other, api.test' }, 'direct'],
  ['https://eu.api.test', { ...proxy, no_proxy: '.api.test' }, 'direct'],
  ['https://eu.api.test', { ...proxy, no_proxy: '*.api.test' }, 'direct'],
  ['https://myapi.test', { ...proxy, NO_PROXY: 'api.test' }, 'proxy.example:3128'],
  ['https://api.test', { ...proxy, NO_PROXY: 'api.test:443' }, 'direct'],
  ['https://api.test:8443', { ...proxy, NO_PROXY: 'api.test:443' }, 'proxy.example:3128'],
  ['https://[fd00::1]:8443', { ...proxy, NO_PROXY: 'fd00::1' }, 'direct'],
  ['https://[fd00::1]:8443', { ...proxy, NO_PROXY: '[fd00::1]:8443' }, 'direct'],
  ['https://[fd00::2]', { ...proxy, NO_PROXY: 'fd00::1' }, 'proxy.example:3128'],
])('[MODEL89] %s with %j goes %s', (url, env, way) => {
  expect(shown(url, env)).toBe(way)
})

test('[MODEL89] a name and password go into a header, also with a bare percent sign', () => {
  const way = wayTo(new URL('https://api.test'), { HTTPS_PROXY: 'http://me:p%40ss%@proxy:1' })
  const basic = `Basic ${Buffer.from('me:p%40ss%').toString('base64')}`
  expect(way).toMatchObject({ proxy: { shown: 'proxy:1', authorization: basic } })
  const decoded = wayTo(new URL('https://api.test'), { HTTPS_PROXY: 'http://me:p%40ss@proxy:1' })
  const right = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
  expect(decoded).toMatchObject({ proxy: { authorization: right } })
})

test('[MODEL89] whatever the variable holds, no sentence holds its password', () => {
  const scheme = fc.constantFrom('http', 'https', 'socks5', 'ftp', 'ht tp')
  const host = fc.constantFrom('proxy.example:3128', '', 'a b', '[::1', 'h:99999999')
  fc.assert(
    fc.property(scheme, host, (start, place) => {
      const said = shown('https://api.test', { HTTPS_PROXY: `${start}://me:hunter2@${place}` })
      expect(said).not.toContain('hunter2')
      expect(said).not.toContain('me:')
    }),
  )
})
