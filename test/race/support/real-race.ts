import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { routes } from '../../../src/protocol/http/routes.ts'
import type { Event } from '../../../src/protocol/events/event.ts'
import { openViewer, type TestViewer } from '../../live-view/support/viewer.ts'
import type { TestSession } from '../../support/session.ts'
import type { World } from '../../support/world.ts'
import { changingLine, toldAt } from './shown-state.ts'

/** Numbers that follow from a seed, so that a race can be played again. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export interface RealTally {
  races: number
  ran: number
  voided: number
  /** Yeses that were void although the shell was as it had been shown. */
  needless: number
  refused: number
}

/** One session with two clients and a person at its terminal, in which the model asks for one command a race. */
export async function openRealRace(world: World, pick: (below: number) => number) {
  const { server, model } = world
  const session = await server.session()
  let clients: [TestSession, TestSession] = [session, server.reopen(session)]
  let viewer: TestViewer = await openViewer(server, session.id)
  const folders = ['a', 'b', 'c'].map((name) => join(server.workspace, session.id, name))
  for (const folder of folders) mkdirSync(folder, { recursive: true })
  const tally: RealTally = { races: 0, ran: 0, voided: 0, needless: 0, refused: 0 }
  let changes = 0
  let turns = 0
  let isNested = false
  await session.until('shell_start')
  await session.run('zmodload zsh/datetime 2>/dev/null; export X=0 T=0')

  const line = () => changingLine(++changes, folders[pick(folders.length)] ?? '/')
  const type = (text: string) => viewer.type(`${text}\r`)
  const client = () => clients[pick(2)] ?? session
  const open = () => openAsk(clients[0].events)

  /** A moment that is never the same: nobody waits for anything. */
  async function moment(): Promise<void> {
    const turnsOfTheLoop = [0, 0, 1, 3, 10, 40, 150, 600][pick(8)] ?? 0
    for (let count = 0; count < turnsOfTheLoop; count += 1) await turn()
  }

  /** Somebody else may have been first: then it is refused. */
  async function answer(outcome: 'allow' | 'deny', ask = open()?.ask): Promise<void> {
    if (ask === undefined) return
    const params = { id: session.id }
    await server.client
      .call(routes.answer, { params, body: { ask, outcome } })
      .catch(() => void (tally.refused += 1))
  }

  async function reconnect(): Promise<void> {
    for (const each of clients) each.close()
    clients = [server.reopen(session), server.reopen(session)]
    await clients[0].live()
    await clients[1].live()
    await viewer.close()
    viewer = await openViewer(server, session.id)
  }

  /**
   * A person starts a shell and has it adopted; with the race it is left. One that is not there in time would keep the
   * terminal from the model for ever, so that the person restarts theirs.
   */
  async function adopt(): Promise<void> {
    type('bash --norc --noprofile')
    await moment()
    await server.client
      .call(routes.adopt, { params: { id: session.id }, body: {} })
      .then(() => void (isNested = true))
      .catch(() => client().interrupt('restart'))
  }

  const meanwhile: readonly (() => unknown)[] = [
    () => undefined,
    () => type(line()),
    () => type(line()),
    () => client().send(`!${line()}`),
    () => client().send('!ls'),
    () => type('ls'),
    () => type(''),
    () => viewer.type('\x03'),
    () => viewer.type('half'),
    () => {
      type(line())
      return client().send(`!${line()}`)
    },
    () => type('exit'),
    () => client().interrupt('restart'),
    () => reconnect(),
    () =>
      server.client.call(routes.updateSession, {
        params: { id: session.id },
        body: { approval: pick(2) === 0 ? 'ask-all' : 'guarded' },
      }),
    () => (pick(4) === 0 ? adopt() : type(line())),
    () => client().abort(),
  ]
  const act = async () => {
    await Promise.resolve(meanwhile[pick(meanwhile.length)]?.()).catch(() => undefined)
  }

  /** Yes to whatever is asked until the turn is over; after many it is a no. */
  async function finish(): Promise<void> {
    for (let asked = 0; clients[0].all('agent_end').length < turns;) {
      const count = clients[0].events.length
      const ask = open()
      if (ask !== undefined) {
        asked += 1
        await answer(asked > 4 ? 'deny' : 'allow', ask.ask)
      }
      if (clients[0].all('agent_end').length < turns && clients[0].events.length === count)
        await clients[0].untilEvents(count + 1)
    }
  }

  async function race(): Promise<void> {
    const told = join(server.workspace, session.id, `told-${tally.races}`)
    writeFileSync(told, '')
    model.hush()
    const command = `printf '%s|%s|%s\\n' "$PWD" "$X" "$T" >> ${told}`
    model.say(`<shell>${command}</shell>`, 'Ok.')
    const before = clients[0].events.at(-1)?.seq ?? 0
    turns = clients[0].all('agent_end').length + 1
    const sent = clients[0].send('go', 'text')
    if (pick(2) === 0) {
      await moment()
      await act()
    }
    await sent
    await untilAsked(clients[0], turns)
    const ask = open()?.ask
    const second = pick(3) === 0 ? yesOrNo() : null
    const answers = async () => {
      await moment()
      await Promise.all([answer('allow', ask), ...(second === null ? [] : [answer(second, ask)])])
    }
    // Whatever is done first, nobody waits for its end.
    await Promise.all(pick(3) === 0 ? [answers(), moment().then(act)] : [act(), answers()])
    await finish()
    if (isNested) type('exit')
    isNested = false
    tally.races += 1
    check({ told, command, after: before })
  }

  const yesOrNo = () => (pick(2) === 0 ? 'allow' : 'deny')

  function check(raced: { told: string; command: string; after: number }): void {
    const { events } = clients[0]
    const lines = readFileSync(raced.told, 'utf8').split('\n').slice(0, -1)
    const fail = (why: string): never => {
      const log = events
        .filter(({ seq }) => seq > raced.after)
        .map((event) => JSON.stringify(event))
      throw new Error(`race ${tally.races}: ${why}: ${lines.join(' ')}\n${log.join('\n')}`)
    }
    const news = events.filter(({ seq }) => seq > raced.after)
    const asks = news.flatMap((event) => (event.type === 'elicitation_request' ? [event] : []))
    const answers = news.flatMap((event) => (event.type === 'elicitation_response' ? [event] : []))
    for (const { moved, request, seq } of answers) {
      if (moved !== true) continue
      tally.voided += 1
      const ask = asks.find((each) => each.seq === request)
      if (ask && isSame(events, ask, seq)) tally.needless += 1
    }
    if (lines.length > 1) fail('it ran twice')
    const [line] = lines
    if (line === undefined) return
    tally.ran += 1
    if (answers.some(({ outcome }) => outcome === 'deny')) fail('it was denied')
    const yes = answers.findLast(({ outcome }) => outcome === 'allow')
    const ask = asks.find(({ seq }) => seq === yes?.request)
    if (ask === undefined) return fail('nobody said yes')
    if (ask.command !== raced.command) fail('the yes was to another command')
    const [cwd, change = '', time] = line.split('|')
    if (ask.cwd !== cwd) fail(`the question was about ${ask.cwd}`)
    if (Number(time) * 1_000 > ask.at + 1) fail(`the shell changed after the question of ${ask.at}`)
    if ((toldAt(events, change) ?? 0) > ask.seq) fail('the question was before the last change')
  }

  return { race, tally, close: () => viewer.close() }
}

/** Nothing of a person's that changes the shell came between the question and its answer, and it is asked there anew. */
function isSame(
  events: readonly Event[],
  ask: Event & { type: 'elicitation_request' },
  seq: number,
): boolean {
  const between = events.filter((event) => event.seq > ask.seq && event.seq < seq)
  const hasChanged = between.some(
    (event) =>
      (event.type === 'run_start' && event.command !== 'ls') ||
      ['shell_start', 'shell_exit', 'shell_adopt', 'shell_leave'].includes(event.type),
  )
  const next = events.find((each) => each.type === 'elicitation_request' && each.seq > seq)
  return !hasChanged && next?.type === 'elicitation_request' && next.cwd === ask.cwd
}

function openAsk(events: readonly Event[]): (Event & { type: 'elicitation_request' }) | undefined {
  const closed = new Set(
    events.flatMap((event) => (event.type === 'elicitation_response' ? [event.ask] : [])),
  )
  return events.findLast(
    (event): event is Event & { type: 'elicitation_request' } =>
      event.type === 'elicitation_request' && !closed.has(event.ask),
  )
}

async function untilAsked(session: TestSession, turns: number): Promise<void> {
  while (openAsk(session.events) === undefined && session.all('agent_end').length < turns)
    await session.untilEvents(session.events.length + 1)
}
