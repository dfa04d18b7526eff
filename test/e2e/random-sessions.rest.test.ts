// takes: 40 s
import fc from 'fast-check'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/protocol/events/epoch.ts'
import { allProviders } from '../models/all-providers.ts'
import type { Provider, ProviderServer, ScriptedReply } from '../models/provider.ts'
import { serverOptions } from '../models/server-env.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'

/** `npm run long` has 108. The seed stands in the names of the tests. */
const sessions = Number(process.env['TANDEM_REAL_SESSIONS'] ?? 12)
const seed = Number(process.env['TANDEM_SEED'] ?? Date.now() % 2 ** 31)
const tomorrow = pathToFileURL(join(process.cwd(), 'test/support/preload/tomorrow.mjs')).href
const secret = 'PRIVATE-WORD'

const cases = allProviders.flatMap((provider) =>
  provider.dialects.map((dialect) => ({ name: `${provider.name}, ${dialect}`, provider, dialect })),
)

const deeds = [
  'say',
  'run',
  'runTwo',
  'bang',
  'beside',
  'mention',
  'private',
  'privateMode',
  'abortText',
  'abortRun',
  'deny',
  'denyWithWord',
  'timeout',
  'waiting',
  'queue',
  'second client',
  'restart',
  'restart tomorrow',
  'die in mid-run',
] as const
type Deed = (typeof deeds)[number]

/** One session of a real server with a real shell, and the model it talks to. */
interface Walk {
  dialect: Dialect
  model: ProviderServer
  server: TestServer
  session: TestSession
}

function runs(dialect: Dialect, ...commands: readonly { command: string; timeout?: number }[]) {
  const tag = ({ command, timeout }: { command: string; timeout?: number }) =>
    `<shell${timeout === undefined ? '' : ` timeout="${timeout}"`}>${command}</shell>`
  const reply: ScriptedReply =
    dialect === 'tags'
      ? { parts: [{ type: 'text', text: commands.map(tag).join('\n') }] }
      : {
          parts: commands.map((args) => ({
            type: 'call',
            name: 'terminal_execute',
            args: JSON.stringify(args, null, 1),
          })),
        }
  return reply
}

/** Sends a prompt and waits until its turn is over, saying yes or no to what is asked. */
async function turn(walk: Walk, answer: 'allow' | 'deny' = 'allow', word?: string): Promise<void> {
  const { session } = walk
  const ended = session.all('agent_end').length + 1
  const asked = session.all('elicitation_request').length + 1
  await session.send('do it')
  const isOver = session.until('agent_end', ended).then(() => true)
  for (let n = asked; ; n++) {
    const isAsked = session.until('elicitation_request', n).then(() => false)
    if (await Promise.race([isOver, isAsked])) return
    await session.answer(answer, word === undefined ? {} : { word })
    await session.until('elicitation_response', n)
  }
}

async function restart(walk: Walk, env: Record<string, string> = {}): Promise<void> {
  const { session, server } = walk
  const known = session.events.length
  session.close()
  await server.restart(env)
  walk.session = server.reopen(session)
  await walk.session.untilEvents(known)
}

/** The turn goes on from where a dead server left it. */
async function settle({ session }: Walk): Promise<void> {
  const { open } = await session.view()
  if (open.turn !== null) await session.until('agent_end', session.all('agent_start').length)
}

const perform: Readonly<Record<Deed, (walk: Walk) => Promise<void>>> = {
  async say(walk) {
    walk.model.say('  as you like \r\n')
    await turn(walk)
  },
  async run(walk) {
    walk.model.say(runs(walk.dialect, { command: 'pwd; date +%N' }), 'so')
    await turn(walk)
  },
  async runTwo(walk) {
    walk.model.say(
      runs(walk.dialect, { command: 'x=1; false' }, { command: 'echo "$x"; cd /' }),
      'both',
    )
    await turn(walk)
  },
  async bang({ session }) {
    await session.run('echo "what a person runs"; cd; date +%N')
  },
  async beside({ session }) {
    const { first } = await session.send('/shell echo "beside the terminal"; date +%N')
    await session.answerTo(first)
  },
  async mention(walk) {
    const { model, server, session } = walk
    await writeFile(join(server.workspace, 'noted.txt'), 'written down\n')
    const ended = session.all('agent_end').length + 1
    model.say('I have read it')
    await session.send('look at @noted.txt')
    await session.until('agent_end', ended)
  },
  async private({ session }) {
    const before = session.all('tool_response').length
    await session.send(`!!echo ${secret}`)
    await session.until('tool_response', before + 1)
  },
  async privateMode({ session, server }) {
    const params = { id: session.id }
    await server.patch(params.id, { private: true })
    await session.run(`echo ${secret}`)
    await server.patch(params.id, { private: false })
  },
  async abortText({ model, session }) {
    const steps = session.all('step_end').length + 1
    model.say({ parts: [{ type: 'text', text: 'half a word' }], ending: new Promise(() => {}) })
    await session.send('tell me')
    await session.until('agent_start', session.all('agent_end').length + 1)
    await session.untilDelta(
      (delta) =>
        delta.type === 'message_delta' &&
        delta.step === session.all('step_start').at(-1)?.seq &&
        delta.text.includes('half'),
    )
    await session.abort()
    await session.until('step_end', steps)
  },
  async abortRun(walk) {
    const { session, model, dialect } = walk
    const started = session.all('run_start').length + 1
    model.say(runs(dialect, { command: 'sleep 1000' }))
    await session.send('wait')
    await allowUntilRun(session, started)
    await session.abort()
    await session.until('run_end', started)
  },
  async deny(walk) {
    walk.model.say(runs(walk.dialect, { command: 'echo > x' }, { command: 'pwd' }))
    await turn(walk, 'deny')
  },
  async denyWithWord(walk) {
    walk.model.say(runs(walk.dialect, { command: 'echo > x' }), 'as you say')
    await turn(walk, 'deny', 'rather not')
  },
  async timeout(walk) {
    const ends = walk.session.all('run_end').length + 1
    walk.model.say(
      runs(walk.dialect, { command: 'echo begun; sleep 1000', timeout: 1 }),
      'too slow',
    )
    await turn(walk)
    await walk.session.until('run_end', ends)
  },
  async waiting(walk) {
    const { dialect, session, model } = walk
    const ends = session.all('run_end').length + 1
    const stop: ScriptedReply =
      dialect === 'tags'
        ? { parts: [{ type: 'text', text: '<interrupt/>' }] }
        : { parts: [{ type: 'call', name: 'terminal_interrupt', args: '{}' }] }
    model.say(runs(dialect, { command: 'read -p "name? " name' }), stop, 'stopped')
    await turn(walk)
    await session.until('run_end', ends)
  },
  async queue(walk) {
    const { model, session } = walk
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const ended = session.all('agent_end').length
    model.say({ parts: [{ type: 'text', text: 'slowly' }], ending: held }, 'and that')
    await session.send('first')
    await session.until('agent_start', ended + 1)
    await session.send('second')
    release()
    await session.until('agent_end', ended + 2)
  },
  async 'second client'({ server, session, model }) {
    const other = server.reopen(session)
    await other.untilEvents(session.events.length)
    const ended = other.all('agent_end').length + 1
    model.say('to both of you')
    await other.send('from over there')
    await other.until('agent_end', ended)
    await session.until('agent_end', ended)
    other.close()
  },
  restart: (walk) => restart(walk),
  'restart tomorrow': (walk) =>
    restart(walk, { NODE_OPTIONS: `--import ${tomorrow}`, USER: 'somebody', TZ: 'Asia/Tokyo' }),
  async 'die in mid-run'(walk) {
    const { dialect, model } = walk
    const started = walk.session.all('run_start').length + 1
    model.say(
      runs(dialect, { command: 'for i in 1 2 3 4; do echo $i; sleep 0.1; done' }),
      'it went on',
    )
    await walk.session.send('count')
    await allowUntilRun(walk.session, started)
    await restart(walk)
    await walk.session.until('run_end', started)
    await settle(walk)
  },
}

async function allowUntilRun(session: TestSession, started: number): Promise<void> {
  const isRunning = session.until('run_start', started).then(() => true)
  const asked = session.all('elicitation_response').length + 1
  const isAsked = session.until('elicitation_request', asked).then(() => false)
  if (await Promise.race([isRunning, isAsked])) return
  await session.answer('allow')
  await isRunning
}

function expectOnlyGrowth(provider: Provider, bodies: readonly string[]): void {
  const all = bodies.map((body) => provider.items(body))
  all.forEach((items, index) => {
    const before = all[index - 1] ?? []
    expect(items.slice(0, before.length)).toEqual(before)
    expect(bodies[index]).not.toContain(secret)
  })
}

describe.each(cases)(`$name, TANDEM_SEED=${seed}`, ({ provider, dialect }) => {
  test('[TR11] with real servers and shells, whatever happens, requests only grow and nothing private is in them', async () => {
    const model = await provider.start()
    const server = await startServer(serverOptions(provider, { baseUrl: model.baseUrl, dialect }))
    const list = fc.array(fc.constantFrom(...deeds), { minLength: 3, maxLength: 7 })
    try {
      await fc.assert(
        fc.asyncProperty(list, async (names) => {
          model.hush()
          const asked = model.requests.length
          const walk: Walk = { dialect, model, server, session: await server.session() }
          for (const name of names) await perform[name](walk)
          await perform.say(walk)
          expectOnlyGrowth(
            provider,
            model.requests.slice(asked).map(({ body }) => body),
          )
          expect(walk.session.all('step_end').every(({ witness }) => witness.ok)).toBe(true)
          walk.session.close()
          await server.remove(walk.session.id)
        }),
        { seed, numRuns: Math.ceil(sessions / cases.length), endOnFailure: true },
      )
    } finally {
      await server.close()
      await model.close()
    }
  }, 600_000)
})
