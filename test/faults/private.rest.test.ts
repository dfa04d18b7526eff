import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { createRandom } from '../store/random.ts'
import type { ScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'
import { amount } from './support/amount.ts'
import { type Gate, makeGate } from './support/gate.ts'
import { orderTo, orderToRun, startObedientModel } from './support/obedient-model.ts'
import { type PrivateSum, privateSums } from './support/private-sums.ts'

const wanted = amount('TANDEM_PRIVATE', 40)
const random = createRandom('private runs')
const nextSum = privateSums(random)

let model: ScriptedModel
let server: TestServer
let session: TestSession
let gate: Gate
const sums: PrivateSum[] = []

beforeAll(async () => {
  model = await startObedientModel()
  server = await startServer({ env: { TANDEM_BASE_URL: model.baseUrl } })
  session = await server.session()
  gate = makeGate(server.workspace)
})

afterAll(async () => {
  await server.close()
  await model.close()
})

/** The next private command, to be counted as run. */
function sum(): string {
  const made = nextSum()
  sums.push(made)
  return made.command
}

async function submit(text: string, as: 'auto' | 'run' = 'auto'): Promise<number | null> {
  return (await session.send(text, as)).first
}

async function run(text: string, as: 'auto' | 'run' = 'auto'): Promise<void> {
  await session.answerTo(await submit(text, as))
}

/** A whole turn; everything that waited to be told to the model is told with it. */
async function turn(prompt = 'hello'): Promise<void> {
  const before = session.all('agent_end').length
  await session.send(prompt)
  await session.until('agent_end', before + 1)
}

async function restart(): Promise<void> {
  await server.restart()
  session.close()
  session = server.reopen(session)
  await session.live()
}

const setPrivate = (on: boolean) =>
  server.client.call(routes.updateSession, { params: { id: session.id }, body: { private: on } })

const untilStatus = (request: number | null, status: string) =>
  session.untilDelta(
    (delta) => delta.type === 'tool_update' && delta.request === request && delta.status === status,
  )

/** Ways in which a private run and the model meet. A new way for the model to look goes in here. */
const meetings: Record<string, () => Promise<void>> = {
  async 'one by one'() {
    for (let n = 0; n < 5; n++) await run(`!!${sum()}`)
  },
  async 'in private mode'() {
    await setPrivate(true)
    await run(`!${sum()}`)
    await run(sum(), 'run')
    await run(`!?${sum()}`)
    await run(`!!${sum()}`)
    await setPrivate(false)
  },
  async 'while the model writes'() {
    let release = () => {}
    const ending = new Promise<void>((resolve) => {
      release = resolve
    })
    model.say({ pieces: ['I am ', 'writing'], ending })
    const before = session.all('agent_end').length
    await session.send('write')
    await run(`!!${sum()}`)
    release()
    await session.until('agent_end', before + 1)
  },
  async 'behind a command of the model'() {
    const runs = session.all('run_start').length
    await session.send(orderToRun(`echo mine; ${gate.wait}`))
    await session.answer('allow')
    await session.until('run_start', runs + 1)
    const request = await submit(`!!${sum()}`)
    await gate.open()
    await session.answerTo(request)
    await turn()
  },
  async 'in the way of the model'() {
    const request = await submit(`!!${sum()}; read -r line; ${sum()}`)
    await untilStatus(request, 'waiting')
    await turn(orderTo('<shell>pwd</shell><input>yes</input><input keys="Up"/><interrupt/>'))
    expect(session.all('tool_response').some((answer) => answer.request === request)).toBe(false)
    await session.interrupt()
    await session.answerTo(request)
  },
  async 'stopped by its person'() {
    const request = await submit(`!!${sum()}; ${gate.wait}; ${sum()}`)
    await untilStatus(request, 'running')
    await session.interrupt()
    await session.answerTo(request)
  },
  async 'across an abort'() {
    const before = session.all('agent_end').length
    model.say({ pieces: ['Never ', 'ending'], ending: new Promise(() => undefined) })
    await session.send('write')
    const request = await submit(`!!${sum()}`)
    await session.abort()
    await session.until('agent_end', before + 1)
    await session.answerTo(request)
  },
  async 'across a kill'() {
    const request = await submit(`!!${sum()}; ${gate.wait}; ${sum()}`)
    await untilStatus(request, 'running')
    await restart()
    await gate.open()
    await session.answerTo(request)
  },
  async 'across a kill, with the model in the way'() {
    const request = await submit(`!!${sum()}; read -r line; ${sum()}`)
    await untilStatus(request, 'waiting')
    await restart()
    await turn(orderTo('<shell>ls</shell><interrupt/>'))
    await session.interrupt()
    await session.answerTo(request)
  },
  async 'waiting for the terminal at a kill'() {
    const first = await submit(`!!${sum()}; ${gate.wait}`)
    await untilStatus(first, 'running')
    const second = await submit(`!!${sum()}`)
    await restart()
    await gate.open()
    await session.answer('allow')
    await session.answerTo(second)
  },
  async 'with the end of its shell'() {
    const exits = session.all('shell_exit').length
    await run(`!!${sum()}; exit 3`)
    await session.until('shell_exit', exits + 1)
  },
  async 'not even begun'() {
    await run(`!!${sum()}; echo "unfinished`)
  },
  async 'before the model is shown a question'() {
    await run(`!!${sum()}`)
    const asks = session.all('elicitation_request').length
    await session.send(orderToRun('read -p "name? " name'))
    await session.until('elicitation_request', asks + 1)
    await session.answer('allow')
    await session.until('agent_end', session.all('agent_start').length)
    await session.interrupt()
  },
}

test(
  '[FAULT3] neither the command nor the output of a private run is in any request to the model, however the two meet',
  { timeout: 60_000 + wanted * 3_000 },
  async () => {
    const counts: Record<string, number> = {}
    const names = Object.keys(meetings)
    await run('!true')
    for (let n = 0; sums.length < wanted || n < names.length; n++) {
      const name = names[n < names.length ? n : random.wholeBelow(names.length)]!
      await meetings[name]!()
      await turn()
      counts[name] = (counts[name] ?? 0) + 1
    }
    // What is not private is found the same way.
    const { command, hidden } = nextSum()
    await run(`!${command}`)
    await turn()
    const bodies = model.requests.map(({ body }) => body)
    const leaked = (words: readonly string[]) =>
      words.filter((word) => bodies.some((body) => body.includes(word)))
    expect(leaked(hidden)).toEqual(hidden)
    expect(
      sums.flatMap((made) => leaked(made.hidden)),
      random.seed,
    ).toEqual([])
    const said = { runs: sums.length, requests: bodies.length, counts }
    process.stdout.write(`private runs: ${JSON.stringify(said)}\n`)
  },
)
