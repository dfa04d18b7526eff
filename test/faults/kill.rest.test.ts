// takes: 36 s
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptedModel } from '../support/scripted-model.ts'
import { partByPart, startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'
import { createRandom } from '../store/random.ts'
import { amount } from './support/amount.ts'
import { openComingViewer } from './support/comings.ts'
import { type Gate, makeGate } from './support/gate.ts'
import { orderToRun, startObedientModel } from './support/obedient-model.ts'
import { wholeOutput } from './support/run-output.ts'

const kills = amount('TANDEM_KILLS', 40)
const killsPerRun = 10
const numbersPerKill = 3_000

let model: ScriptedModel
let server: TestServer
let gate: Gate

beforeAll(async () => {
  model = await startObedientModel()
  server = await startServer({
    env: { TANDEM_BASE_URL: model.baseUrl },
    config: { ...partByPart, modelRunSeconds: 0 },
  })
  gate = makeGate(server.workspace)
})

afterAll(async () => {
  await server.close()
  await model.close()
})

/** Prints numbers in as many parts, each after the first when the gate lets it. */
function command(parts: number, exitCode: number): string {
  const last = `$((k * ${numbersPerKill} + ${numbersPerKill}))`
  const print = `for ((i = k * ${numbersPerKill} + 1; i <= ${last}; i++)); do echo $i; done`
  const wait = `((k == ${parts - 1})) || ${gate.wait}`
  return `for ((k = 0; k < ${parts}; k++)); do ${print}; ${wait}; done; (exit ${exitCode})`
}

/** What it prints, part by part. */
function numbers(parts: number): string[] {
  return Array.from({ length: parts }, (_, k) =>
    Array.from({ length: numbersPerKill }, (_, n) => `${k * numbersPerKill + n + 1}\r\n`).join(''),
  )
}

/** Every piece of live output is what was printed at its offset, whichever were skipped. */
function expectTrue(session: TestSession, text: string): void {
  const request = session.all('tool_request').at(-1)?.seq
  for (const delta of session.deltas) {
    if (delta.type !== 'tool_update' || delta.output === undefined) continue
    if (delta.request !== request) continue
    const { offset, text: piece } = delta.output
    expect(text.slice(offset, offset + piece.length) === piece, `output at ${offset}`).toBe(true)
  }
}

test(
  '[FAULT1] a server killed at random places while the model’s command prints numbers loses and repeats nothing, and the model gets the one answer',
  { timeout: 60_000 + kills * 5_000 },
  async () => {
    const random = createRandom('kills')
    let session = await server.session()
    const viewer = await openComingViewer(server, session.id)
    const counts = { kills: 0, inTheMiddle: 0, runs: 0, turns: { done: 0, failed: 0 } }

    const turns = () => 1 + counts.turns.done + counts.turns.failed

    async function killAt(offset: number, text: string): Promise<void> {
      await viewer.viewer().until(() => viewer.end() >= offset)
      await server.kill()
      counts.kills += 1
      await server.restart()
      expectTrue(session, text)
      session.close()
      session = server.reopen(session)
      await viewer.comeBack()
    }

    while (counts.kills < kills) {
      counts.runs += 1
      const parts = Math.min(killsPerRun, kills - counts.kills)
      const exitCode = random.wholeBelow(256)
      const printed = numbers(parts)
      const text = printed.join('')
      // Each record is one of a kind.
      const order = `: ${counts.runs}; ${command(parts, exitCode)}`
      await session.send(orderToRun(order))
      await session.answer('allow')
      for (const [part, { length: partBytes }] of printed.entries()) {
        const start = viewer.end()
        if (part > 0) await gate.open()
        await killAt(start + 1 + random.wholeBelow(partBytes), text)
        const sent = viewer.viewer().pieces[0]?.offset ?? 0
        if (sent < start + partBytes) counts.inTheMiddle += 1
      }

      const end = await session.until('run_end', counts.runs)
      const { ptyFrom, ptyTo, run } = end
      expect(end, random.seed).toMatchObject({
        outcome: 'ended',
        exitCode,
        bytes: text.length,
        omitted: 0,
      })
      expect((await wholeOutput(server, { session: session.id, run })) === text).toBe(true)
      await viewer.viewer().until(() => viewer.end() >= ptyTo!)
      expect(viewer.gaps()).toEqual([])
      expect(String(viewer.bytes(ptyFrom!, ptyTo!)) === text).toBe(true)

      const { reason } = await session.until('agent_end', turns())
      counts.turns[reason as 'done' | 'failed'] += 1
      const responses = session.all('tool_response')
      expect(responses).toHaveLength(counts.runs)
      const { content } = responses.at(-1)!
      const beginning = `$ ${order}\n1\n2\n3\n`
      const ending = `\n${parts * numbersPerKill}\n[exit ${exitCode}]`
      expect(content.slice(0, beginning.length), random.seed).toBe(beginning)
      expect(content.slice(-ending.length), random.seed).toBe(ending)
      // A kill after the run's end may cost the reply to it, never the record.
      if (reason === 'failed') {
        await session.send('go on')
        await session.until('agent_end', turns())
        counts.turns.done += 1
      }
      const { messages } = model.requests.at(-1)!
      expect(messages.filter((message) => message.content === content)).toHaveLength(1)
    }
    process.stdout.write(`kills: ${JSON.stringify(counts)}\n`)
    expect(counts.inTheMiddle).toBeGreaterThan(kills / 2)
    await viewer.close()
  },
)
