import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { createRandom } from '../store/random.ts'
import type { ScriptedModel } from '../support/scripted-model.ts'
import { partByPart, startServer, type TestServer } from '../support/server.ts'
import { makeGate } from './support/gate.ts'
import { numberStream } from './support/number-stream.ts'
import { orderToRun, startObedientModel } from './support/obedient-model.ts'
import { untilThere } from './support/until-there.ts'

const lead = 'ready\r\n'
const last = 12_000_000
const numbers = numberStream(last)
const pageBytes = 100_000

let model: ScriptedModel
let server: TestServer

beforeAll(async () => {
  model = await startObedientModel()
  server = await startServer({
    env: { TANDEM_BASE_URL: model.baseUrl },
    config: { ...partByPart, modelRunSeconds: 0 },
  })
})

afterAll(async () => {
  await server.close()
  await model.close()
})

/** What the run prints, by its own offsets. */
function printed(from: number, to: number): string {
  const rest = numbers.slice(Math.max(0, from - lead.length), Math.max(0, to - lead.length))
  return lead.slice(from, to) + rest
}

/** How much of a run the byte log's files hold, each part where it belongs. */
async function keptOnDisk(session: string, run: { from: number; to: number }): Promise<number> {
  const folder = join(server.home, 'teams', 'default', 'sessions', session, 'pty')
  let kept = 0
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.log'))) {
    const start = Number.parseInt(name, 10)
    const bytes = await readFile(join(folder, name))
    const [from, to] = [Math.max(start, run.from), Math.min(start + bytes.length, run.to)]
    if (from >= to) continue
    const text = bytes.toString('latin1', from - start, to - start)
    expect(text === printed(from - run.from, to - run.from), name).toBe(true)
    kept += text.length
  }
  return kept
}

test('[FAULT1] of 100 MB printed while no server is there every byte is accounted for, and the model gets its answer', async () => {
  const gate = makeGate(server.workspace)
  const command = `echo ready; ${gate.wait}; seq 1 ${last}; touch printed; (exit 23)`
  const session = await server.session()
  await session.send(orderToRun(command))
  await session.answer('allow')
  await session.untilDelta(
    (delta) => delta.type === 'tool_update' && !!delta.output?.text.includes('ready'),
  )
  await server.kill()
  const done = untilThere(join(server.workspace, 'printed'))
  await gate.open()
  await done
  await server.restart()

  const again = server.reopen(session)
  const end = await again.until('run_end')
  expect(end).toMatchObject({
    outcome: 'ended',
    exitCode: 23,
    bytes: lead.length + numbers.bytes,
    omitted: 0,
    ptyTo: end.ptyFrom! + end.bytes,
  })
  expect(end.bytes).toBeGreaterThan(100_000_000)
  const kept = await keptOnDisk(session.id, { from: end.ptyFrom!, to: end.ptyTo! })
  expect(kept).toBe(end.bytes)
  process.stdout.write(`100 MB: ${JSON.stringify({ bytes: end.bytes, kept })}\n`)

  const random = createRandom('pages')
  const pages = Array.from({ length: 50 }, () => random.wholeBelow(end.bytes - pageBytes))
  for (const from of [0, ...pages, end.bytes - pageBytes]) {
    const params = { id: session.id, run: end.run }
    const page = await server.client.call(routes.runOutput, { params, query: { from } })
    expect(page).toMatchObject({ from, to: from + pageBytes, total: end.bytes, missing: 0 })
    expect(page.text === printed(from, page.to), random.seed).toBe(true)
  }

  expect(await again.until('agent_end')).toMatchObject({ reason: 'done', steps: 2 })
  const responses = again.all('tool_response')
  expect(responses).toHaveLength(1)
  const { content } = responses[0]!
  const [, head, omitted, tail] =
    /^\$ .*\n([^]*)\n\[… (\d+) characters left out …\]\n([^]*)\n\[exit 23\]$/.exec(content) ?? []
  expect(head?.startsWith('ready\n1\n2\n3\n')).toBe(true)
  expect(tail?.endsWith(`\n${last}`)).toBe(true)
  // Each line ends with one character here, and the last one's was taken off.
  const chars = end.bytes - (last + 1) - 1
  expect(head!.length + Number(omitted) + tail!.length).toBe(chars)
  const { messages } = model.requests.at(-1)!
  expect(messages.filter((message) => message.content === content)).toHaveLength(1)
})
