// takes: 36 s
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { protocols, slowAnswers, type Wrong, wrongAnswers } from './wrong-table.ts'

/** Wrong answers of every provider, each in a session of its own; all of them at once, for most are tried again. */
function rowsOf(answers: readonly Wrong[]) {
  return protocols.flatMap((protocol) => answers.map((wrong) => ({ ...wrong, protocol })))
}

const tables = [
  { name: 'wrong', rows: rowsOf(wrongAnswers), config: {} },
  { name: 'slow', rows: rowsOf(slowAnswers), config: { modelSilenceSeconds: 1 } },
]

test('[MODEL6] the tables have a hundred wrong answers', () => {
  expect(tables.reduce((sum, { rows }) => sum + rows.length, 0)).toBeGreaterThan(100)
})

describe.each(tables)('$name answers', ({ rows, config }) => {
  const asked: number[] = rows.map(() => 0)
  let provider: Server
  let server: TestServer

  beforeAll(async () => {
    provider = createServer((request, response) => {
      void text(request).then((body) => {
        const row = Number([...body.matchAll(/answer (\d+) is due/g)].at(-1)?.[1])
        const wrong = rows[row]
        if (wrong === undefined) return response.writeHead(404).end()
        expect(request.url).toMatch(wrong.protocol.path)
        asked[row] = (asked[row] ?? 0) + 1
        return wrong.answer(response, wrong.protocol)
      })
    })
    await once(provider.listen(0, '127.0.0.1'), 'listening')
    const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    server = await startServer({
      config,
      env: {
        TANDEM_MODEL: 'demo/offline',
        OPENAI_API_KEY: 'key',
        OPENAI_BASE_URL: `${origin}/v1`,
        ANTHROPIC_API_KEY: 'key',
        ANTHROPIC_BASE_URL: origin,
        GEMINI_API_KEY: 'key',
        GOOGLE_GEMINI_BASE_URL: origin,
      },
    })
  })

  afterAll(async () => {
    await server.close()
    provider.closeAllConnections()
    provider.close()
  })

  /** Everything that the session's log says of it, as it has to be. */
  async function play(row: number): Promise<object> {
    const session = await server.session()
    await session.send(`/model ${rows[row]?.protocol.model}`)
    await session.send(`answer ${row} is due`)
    await session.until('agent_end')
    session.close()
    const errors = session.all('error')
    const last = errors.filter(({ code }) => code !== 'model_retry')
    return {
      row: nameOf(row),
      codes: last.map(({ code }) => code),
      said: last.map(({ message }) => message).join('\n'),
      attempts: asked[row],
      retries: errors.length - last.length,
    }
  }

  const nameOf = (row: number) => `${rows[row]?.protocol.model}: ${rows[row]?.name}`

  test('[MODEL6] each is told as what it is, tried again if that may help, once, with what to do', async () => {
    const played = await Promise.all(rows.map((_, row) => play(row)))
    const expected = rows.map(({ code, attempts, said }, row) => ({
      row: nameOf(row),
      codes: [code],
      said: expect.stringMatching(said),
      attempts,
      retries: attempts - 1,
    }))
    expect(played).toEqual(expected)
    for (const one of played) expect(one).toMatchObject({ said: expect.stringMatching(sentence) })
  })
})

/** One line that ends as a sentence does, and says what to do or what to look at. */
const sentence =
  /^[A-Z“][^\n]{10,700}(\?|\/model( switches)?\.|\/compact, or begin a new session\.|send it again\.|itself\.|longer\.)$/
