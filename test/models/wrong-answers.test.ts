import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { limits } from '../../src/protocol/limits.ts'
import { askProvider } from '../../src/server/model/list/ask-provider.ts'
import { openaiChat } from './openai-chat.ts'
import { askOnce } from './openai-read.ts'

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** What is said of a server that answers so. */
async function errorOf(answer: RequestListener): Promise<unknown> {
  server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/v1`
  return (await askOnce(openaiChat.model({ baseUrl, dialect: 'tags' }))).error
}

test('[MODEL89] a redirect is told with its place, and neither followed nor tried again', async () => {
  const location = 'https://elsewhere.example/v1'
  const error = await errorOf((_, response) => response.writeHead(307, { location }).end())
  expect(error).toMatchObject({ code: 'model_config', transient: false })
  expect(String(error)).toContain(`redirects to ${location}`)
})

test.each([
  ['text/html', '<!doctype html><title>Log in</title>'],
  ['application/json', '{"choices":[{"message":{"content":"hi"}}]}'],
])('[MODEL89] %s is no event stream, and not told as a reply that was cut', async (type, body) => {
  const error = await errorOf((_, response) =>
    response.writeHead(200, { 'content-type': type }).end(body),
  )
  expect(error).toMatchObject({ code: 'model_config', transient: false })
  expect(String(error)).toContain(`answered with ${type}`)
})

test('[MODEL89] a web page instead of an error is told as one, and one without an end is not waited for', async () => {
  const error = await errorOf((_, response) => {
    response.writeHead(404, { 'content-type': 'text/html' })
    const more = () => {
      while (response.write(`<html>${' '.repeat(16_384)}`));
    }
    response.on('drain', more).on('error', () => undefined)
    more()
  })
  expect(String(error)).toMatch(/answered 404: a web page\. Is its address right\?$/)
})

test('[MODEL89] an event without an end is given up at a bound, and told as that', async () => {
  let written = 0
  const error = await errorOf((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = Buffer.alloc(64 * 1024, 0x78)
    const more = () => {
      // On a reader without a bound the stream ends, so that the test does.
      if (written > 100 * 1024 * 1024) return void response.end()
      while (response.write(chunk)) written += chunk.length
      written += chunk.length
    }
    response.on('drain', more).on('error', () => undefined)
    response.write('data: ')
    more()
  })
  expect(error).toMatchObject({ code: 'model_failed', transient: false })
  expect(String(error)).toContain('one event of more than 16 MB')
  expect(written).toBeLessThan(40 * 1024 * 1024)
})

test('[MODEL89] a list of models without an end is given up at a bound, and told as that', async () => {
  let written = 0
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const chunk = Buffer.from('{"id":"model"},'.repeat(4_000))
    const more = () => {
      if (written > 100 * 1024 * 1024) return void response.end()
      while (response.write(chunk)) written += chunk.length
      written += chunk.length
    }
    response.on('drain', more).on('error', () => undefined)
    response.write('{"data":[')
    more()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const answer = await askProvider({ adapter: 'openai-chat', baseUrl, apiKey: null })
  expect(answer).toEqual({ models: [], problem: 'Its list of models has no end.' })
  expect(written).toBeLessThan(limits.modelListChars + 16 * 1024 * 1024)
})
