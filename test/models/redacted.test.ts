import { expect, test } from 'vitest'
import { askOnce } from './openai-read.ts'
import { modelsOf, startPlain } from './plain-server.ts'

const key = 'sk-very-secret-key-of-a-person/0123456789'
const token = 'gateway-token-of-a-team-0123456789'

/** The error of one prompt to a server that answers so. */
async function errorOf(answer: Parameters<typeof startPlain>[0]): Promise<string> {
  const baseUrl = await startPlain(answer)
  const headers = { 'x-gateway-token': `Bearer ${token}`, 'x-title': 'Tandem here' }
  const mine = { baseUrl, headers, keyEnv: 'MINE', models: ['m'] }
  const models = await modelsOf({ env: { MINE: key }, providers: { mine } })
  const opened = await models.open(models.initial())
  if (!opened.ok) throw new Error(opened.error)
  const { error } = await askOnce(opened.value)
  const tried = await models.test('mine')
  expect(tried?.says).toBe(error?.message)
  return error?.message ?? ''
}

const said = (message: string) => JSON.stringify({ error: { message } })

test('[MODEL6] a key, or a header that is one, in a provider’s words is not told', async () => {
  const told = await errorOf((_, answer) => {
    answer.writeHead(401).end(said(`Incorrect key ${key} of ${token} from Tandem here`))
  })
  expect(told).toContain('Incorrect key [key] of [key] from Tandem here')
})

test('[MODEL6] a key is not told by an address, within a stream, or where the words are cut', async () => {
  const there = `http://far.example/?key=${encodeURIComponent(key)}`
  const redirected = await errorOf(
    (_, answer) => void answer.writeHead(307, { location: there }).end(),
  )
  expect(redirected).toContain('http://far.example/?key=[key]')
  const streamed = await errorOf((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.end(`data: ${said(`bad key ${key}`)}\n\n`)
  })
  expect(streamed).toContain('bad key [key]')
  const cut = await errorOf((_, answer) => {
    answer.writeHead(400).end(said(`${'x'.repeat(475)} ${key}`))
  })
  expect(cut).toContain('x [key]')
})
