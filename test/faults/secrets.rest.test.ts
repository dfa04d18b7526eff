import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExportFormat } from '../../src/protocol/http/page-routes.ts'
import { createRandom } from '../store/random.ts'
import type { ScriptedModel } from '../support/scripted-model.ts'
import { partByPart, startServer, type TestServer } from '../support/server.ts'
import { amount } from './support/amount.ts'
import { everythingKept } from './support/everything-kept.ts'
import { hashOf, type Kind, kinds, writePrograms } from './support/hidden-prompts.ts'
import { createLeakSearch } from './support/leak-search.ts'
import { orderToRun, startObedientModel } from './support/obedient-model.ts'
import { createServerLife, type Life, type ServerLife } from './support/server-life.ts'
import { openTypists, type Typists } from './support/typists.ts'

const wanted = amount('TANDEM_SECRETS', 200)
const kills = Math.max(4, Math.floor(wanted / 80))
/** Sessions at the same time, each with two clients and an event stream. */
const pairs = 4
const perProgram = Math.ceil(wanted / ((kills + 1) * pairs))
const eraseLine = '\x15'

const random = createRandom('secrets')
const search = createLeakSearch()
const secrets: string[] = []
const errors: Buffer[] = []
let model: ScriptedModel
let server: TestServer

beforeAll(async () => {
  model = await startObedientModel()
  server = await startServer({
    env: { TANDEM_BASE_URL: model.baseUrl },
    config: { ...partByPart, modelRunSeconds: 0, personSilenceSeconds: 0 },
    onErrors: (bytes) => errors.push(bytes),
  })
  await writePrograms(server.workspace)
})

afterAll(async () => {
  await server.close()
  await model.close()
})

function randomLetters(): string {
  return randomBytes(96).toString('base64').replaceAll(/[+/=]/g, '').slice(0, 34)
}

/** Letters enough that half of it is found; the rest is what JSON, shells and terminals escape. */
function newSecret(): string {
  const letters = randomLetters()
  const odd = ['"', '\\', '$x', "'", 'é', '&<', '%', ' b'][random.wholeBelow(8)]!
  const secret = letters.slice(0, 17) + odd + letters.slice(17)
  search.add(secret)
  secrets.push(secret)
  return secret
}

interface Program {
  typists: Typists
  kind: Kind
  by: 'person' | 'model'
  tag: string
}

/** In any of the session's two clients, then in the other. */
function someone(): [0 | 1, 0 | 1] {
  return random.wholeBelow(2) === 0 ? [0, 1] : [1, 0]
}

async function start({ typists, kind, by, tag }: Program): Promise<void> {
  const session = typists.session()
  const command = `./${kind} ${tag} 1 ${perProgram}`
  if (by === 'person') return void (await session.send(`!${command}`))
  const asks = session.all('elicitation_request').length
  await session.send(orderToRun(command))
  await session.until('elicitation_request', asks + 1)
  await session.answer('allow')
}

/** Types a secret at the prompt it is asked for at, half by one and half by the other. */
async function enter(
  { typists, tag }: Program,
  { n, life, isKilled }: { n: number; life: ServerLife; isKilled: boolean },
): Promise<void> {
  const secret = newSecret()
  const [one, other] = someone()
  const half = Math.floor(secret.length / 2)
  const isAsked = () => typists.seen().includes(`${tag}-${n}? `)
  const told = new RegExp(`${tag}-${n}=([0-9a-f]{12})`)
  let mustKill = isKilled
  let halfIsIn = false
  let isEntered = false

  /** What was heard is not lost in a kill. What was refused is typed again, from the start. */
  async function type(here: Life): Promise<void> {
    await typists.until(() => isAsked() && typists.state()?.driver === 'person')
    const refused = typists.refusals()
    const isTaken = () => typists.refusals() === refused
    if (!halfIsIn)
      await here.undisturbed(async () => {
        typists.type(one, eraseLine + secret.slice(0, half))
        await typists.heard(one)
        halfIsIn = isTaken()
      })
    if (!halfIsIn) return
    if (mustKill) {
      mustKill = false
      return life.kill()
    }
    await here.undisturbed(async () => {
      typists.type(other, `${secret.slice(half)}\r`)
      await typists.heard(other)
      isEntered = isTaken()
      halfIsIn = false
    })
  }

  await life.through(typists.comeBack, async (here) => {
    while (!isEntered) await type(here)
    await typists.until(() => told.test(typists.seen()))
  })
  expect(told.exec(typists.seen())?.[1]).toBe(hashOf(secret))
}

test(
  '[FAULT3] of secrets typed at hidden prompts by two clients, with server kills in between, none is stored, sent or told anywhere',
  { timeout: 90_000 + wanted * 1_000 },
  async () => {
    const counts = { kills: 0, looked: 0, bytes: 0 }
    const all: Typists[] = []
    for (let n = 0; n < pairs; n++) all.push(await openTypists(server, await server.session()))

    function expectNone(where: readonly (Buffer | string)[]): void {
      for (const haystack of where) {
        counts.looked += 1
        counts.bytes += haystack.length
        expect(search.find(haystack).map(excerptOf(haystack)), random.seed).toEqual([])
      }
    }

    const life = createServerLife(server, async () => {
      counts.kills += 1
      expectNone(await everythingKept(server))
      expectNone(all.flatMap((typists) => typists.received()))
    })

    for (let round = 0; round <= kills; round++) {
      const programs = all.map((typists, index): Program => {
        const kind = kinds[(round + index) % kinds.length]!
        const by = (Math.floor(round / 2) + index) % 2 === 0 ? 'person' : 'model'
        return { typists, kind, by, tag: `r${round}p${index}` }
      })
      await Promise.all(programs.map(start))
      const victim = random.wholeBelow(pairs)
      const at = 1 + random.wholeBelow(perProgram)
      const entered = programs.map(async (program, index) => {
        for (let n = 1; n <= perProgram; n++) {
          const isKilled = round < kills && index === victim && n === at
          await enter(program, { n, life, isKilled })
        }
      })
      // Who is done early lives through a later kill, too.
      await Promise.all(
        programs.map(async ({ typists }, index) => {
          await entered[index]
          await life.through(typists.comeBack, () => Promise.all(entered))
        }),
      )
      await Promise.all(
        all.map(async (typists) => {
          const session = typists.session()
          await session.until('run_end', round + 1)
          const turns = session.all('agent_end').length
          await session.send('hello')
          await session.until('agent_end', turns + 1)
        }),
      )
    }

    const places = {
      disk: await everythingKept(server),
      clients: all.flatMap((typists) => typists.received()),
      stderr: errors,
      requests: model.requests.map(({ body }) => body),
      casts: await exported(all, 'cast'),
      exports: [...(await exported(all, 'json')), ...(await exported(all, 'md'))],
    }
    for (const place of Object.values(places)) expectNone(place)
    process.stdout.write(`secrets: ${JSON.stringify({ secrets: secrets.length, ...counts })}\n`)
  },
)

test('[FAULT3] the same search finds what was typed where it shows, in every place and spelling', async () => {
  const shown = randomLetters()
  const finder = createLeakSearch()
  finder.add(shown)
  const finds = (places: readonly (Buffer | string)[]) =>
    places.some((place) => finder.find(place).length > 0)

  const typists = await openTypists(server, await server.session())
  const session = typists.session()
  const { first } = await session.send('!read -r line')
  await typists.until(() => typists.state()?.phase === 'running')
  typists.type(0, `${shown}\r`)
  await session.answerTo(first)
  await session.send('hello')
  await session.until('agent_end')
  expect(finds(await everythingKept(server))).toBe(true)
  expect(typists.received().map((place) => finds([place]))).toEqual([true, true, false, true])
  expect(finds([model.requests.at(-1)!.body])).toBe(true)
  for (const format of ['cast', 'json', 'md'] as const)
    expect(finds(await exported([typists], format))).toBe(true)

  for (const spelling of [
    Buffer.from(`ab${shown}cd`).toString('base64'),
    Buffer.from(`abc${shown}`).toString('base64'),
    Buffer.from(shown).toString('hex'),
    shown.split('').join('\r\n'),
    JSON.stringify(shown.split('')),
    shown.slice(0, 17),
  ])
    expect(finds([`something before ${spelling} and after`])).toBe(true)
  expect(finds([randomLetters()])).toBe(false)
})

/** A secret with what stands around its first half, where it stands as it is. */
function excerptOf(haystack: Buffer | string): (secret: string) => string {
  const text = haystack.toString('latin1')
  return (secret) => {
    const at = text.indexOf(secret.slice(0, 15))
    return `${secret} in: ${at < 0 ? '(split or spelt)' : text.slice(Math.max(0, at - 300), at + 100)}`
  }
}

async function exported(all: readonly Typists[], format: ExportFormat): Promise<string[]> {
  const headers = { authorization: `Bearer ${server.token}` }
  const paths = all.map((typists) => `/v1/sessions/${typists.session().id}/export?format=${format}`)
  const answers = await Promise.all(paths.map((path) => fetch(server.url + path, { headers })))
  expect(answers.every(({ ok }) => ok)).toBe(true)
  return Promise.all(answers.map((answer) => answer.text()))
}
