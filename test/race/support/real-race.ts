import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { routes } from '../../../src/protocol/http/routes.ts'
import type { AskScope } from '../../../src/protocol/events/ask.ts'
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
  /** Runs that nobody was asked about: of a command that only reads, and by a rule. */
  unasked: number
  ruled: number
  /** Runs by a yes to an earlier command of the reply. */
  rest: number
  adopted: number
  killed: number
}

/** A reply of the model: its commands, the file that they tell their state in, and the answer to its first question. */
interface Raced {
  commands: readonly string[]
  told: string
  scope?: AskScope
}

/**
 * One session with two clients and a person at its terminal, in which the model asks for a command or two a race. `npm` is
 * a stand-in that tells its state in `installed`.
 */
export async function openRealRace(
  world: World,
  pick: (below: number) => number,
  installed: string,
) {
  const { server, model } = world
  const session = await server.session()
  let clients: [TestSession, TestSession] = [session, server.reopen(session)]
  let viewer: TestViewer = await openViewer(server, session.id)
  const folders = ['a', 'b', 'c'].map((name) => join(server.workspace, session.id, name))
  for (const folder of folders) mkdirSync(folder, { recursive: true })
  const counted = { unasked: 0, ruled: 0, rest: 0, adopted: 0, killed: 0 }
  const tally: RealTally = { races: 0, ran: 0, voided: 0, needless: 0, refused: 0, ...counted }
  /** Rules of the folder that were taken back, and when that was over. */
  const revoked = new Map<string, number>()
  let changes = 0
  let turns = 0
  let isNested = false
  /** The server has the prompt of this race. */
  let isSent = false
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
  async function answer(
    outcome: 'allow' | 'deny',
    asked = open(),
    scope: AskScope = 'once',
  ): Promise<void> {
    if (asked === undefined) return
    const { ask, offer } = asked
    const params = { id: session.id }
    const isOffered = outcome === 'allow' && (scope === 'reply' || offer !== undefined)
    const body = { ask, outcome, ...(isOffered && { scope }) }
    await server.client.call(routes.answer, { params, body }).catch(() => void (tally.refused += 1))
  }

  async function reconnect(): Promise<void> {
    for (const each of clients) each.close()
    clients = [server.reopen(session), server.reopen(session)]
    await clients[0].live()
    await clients[1].live()
    viewer.socket.terminate()
    viewer = await openViewer(server, session.id)
  }

  /** The server is gone without a goodbye; its shell lives on, and another server finds it. */
  async function kill(): Promise<void> {
    await server.restart()
    tally.killed += 1
    await reconnect()
  }

  /** The newest standing yes is taken back, of the session or of the folder. */
  async function revoke(): Promise<void> {
    const made = clients[0].all('elicitation_response').flatMap(({ rule }) => rule ?? [])
    const rule = made.at(-1)
    if (rule === undefined) return
    const { id } = rule
    if (rule.scope === 'session')
      await server.client.call(routes.updateSession, {
        params: { id: session.id },
        body: { revoke: id },
      })
    else await server.client.call(routes.removeRule, { params: { id } })
    revoked.set(id, Date.now())
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
    () => (isSent ? kill() : type('ls')),
    () => (isSent && pick(2) === 0 ? kill() : reconnect()),
    () => revoke(),
    () =>
      server.client.call(routes.updateSession, {
        params: { id: session.id },
        body: { approval: pick(2) === 0 ? 'ask-all' : 'guarded' },
      }),
    () => adopt(),
    () => adopt(),
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
        await answer(asked > 4 ? 'deny' : 'allow', ask)
      }
      if (clients[0].all('agent_end').length < turns && clients[0].events.length === count)
        await clients[0].untilEvents(count + 1)
    }
  }

  /** A command that always asks, two of them, one that a rule may cover, or one that only reads. */
  function proposal(): Raced {
    const told = join(server.workspace, session.id, `told-${tally.races}`)
    const telling = `printf 'a|%s|%s|%s\\n' "$PWD" "$X" "$T" >> ${told}`
    const kind = pick(7)
    if (kind === 0) return { told, commands: ['pwd'] }
    // A yes for the rest of the reply counts for nothing with variables of the shell's own.
    if (kind < 3)
      return { told: installed, commands: ['npm install b', 'npm install c'], scope: 'reply' }
    if (kind > 4) return { told, commands: [telling] }
    const scope = pick(2) === 0 ? 'session' : 'folder'
    return { told: installed, commands: ['npm install a'], scope }
  }

  async function race(): Promise<void> {
    const raced = proposal()
    writeFileSync(raced.told, '')
    model.hush()
    model.say(raced.commands.map((each) => `<shell>${each}</shell>`).join('\n'), 'Ok.')
    const before = clients[0].events.at(-1)?.seq ?? 0
    turns = clients[0].all('agent_end').length + 1
    isSent = false
    // An abort may stop it before it begins.
    const sent = clients[0].send('go', 'text').then(
      () => true,
      () => false,
    )
    if (pick(2) === 0) {
      await moment()
      await act()
    }
    isSent = await sent
    if (!isSent) return over()
    await untilAsked(clients[0], turns)
    const ask = open()
    const second = pick(3) === 0 ? yesOrNo() : null
    const answers = async () => {
      await moment()
      const others = second === null ? [] : [answer(second, ask)]
      await Promise.all([answer('allow', ask, raced.scope), ...others])
    }
    // Whatever is done first, nobody waits for its end.
    await Promise.all(pick(3) === 0 ? [answers(), moment().then(act)] : [act(), answers()])
    await finish()
    over()
    check(raced, before)
  }

  function over(): void {
    if (isNested) type('exit')
    isNested = false
    tally.races += 1
  }

  const yesOrNo = () => (pick(2) === 0 ? 'allow' : 'deny')

  function check({ commands, told }: Raced, after: number): void {
    const { events } = clients[0]
    const lines = readFileSync(told, 'utf8').split('\n').slice(0, -1)
    const news = events.filter(({ seq }) => seq > after)
    const fail = (why: string): never => {
      const log = news.map((event) => JSON.stringify(event))
      throw new Error(`race ${tally.races}: ${why}: ${lines.join(' ')}\n${log.join('\n')}`)
    }
    const asks = news.flatMap((event) => (event.type === 'elicitation_request' ? [event] : []))
    const answers = news.flatMap((event) => (event.type === 'elicitation_response' ? [event] : []))
    for (const { moved, request, seq } of answers) {
      if (moved !== true) continue
      tally.voided += 1
      const ask = asks.find((each) => each.seq === request)
      if (ask && isSame(events, ask, seq)) tally.needless += 1
    }
    tally.adopted += news.filter(({ type }) => type === 'shell_adopt').length
    checkReads(news, fail)
    for (const command of commands) {
      const ran = lines.filter((line) => line.startsWith(`${nameOf(command)}|`))
      if (ran.length > 1) fail('it ran twice')
      const [line] = ran
      if (line === undefined) continue
      tally.ran += 1
      const calls = news.flatMap((event) =>
        event.type === 'run_start' && event.source === 'model' && event.command === command
          ? [event]
          : [],
      )
      const start = calls.at(-1)
      if (start === undefined) return fail('nobody started it')
      const own = asks.filter(({ request }) => request === start.request)
      const isDenied = answers.some(
        ({ outcome, request }) => outcome === 'deny' && own.some(({ seq }) => seq === request),
      )
      if (isDenied) fail('it was denied')
      const [, cwd = '', change = '', time = ''] = line.split('|')
      const told = { cwd, seq: toldAt(events, change) ?? 0, ms: Number(time) * 1_000 }
      if (start.verdict === undefined) checkYes({ start, asks, answers, told }, fail)
      else checkRule(start, told, fail)
    }
  }

  interface Told {
    cwd: string
    /** The last change of the shell: where the log tells it, and when it was. */
    seq: number
    ms: number
  }
  type Fail = (why: string) => never

  /** Somebody said yes to it, or to an earlier command of the reply and the rest of that, in this very state. */
  function checkYes(
    found: {
      start: OfType<'run_start'>
      asks: readonly OfType<'elicitation_request'>[]
      answers: readonly OfType<'elicitation_response'>[]
      told: Told
    },
    fail: Fail,
  ): void {
    const { start, asks, answers, told } = found
    const of = (seq: number | undefined) => asks.find((each) => each.seq === seq)
    const yeses = answers.filter(({ outcome }) => outcome === 'allow')
    const own = yeses.findLast(({ request }) => of(request)?.request === start.request)
    const rest = yeses.find(({ seq, scope }) => seq === start.yes && scope === 'reply')
    const ask = of((own ?? rest)?.request)
    if (ask === undefined) return fail('nobody said yes')
    if (own === undefined) tally.rest += 1
    else if (ask.command !== start.command) fail('the yes was to another command')
    if (ask.cwd !== told.cwd) fail(`the question was about ${ask.cwd}`)
    if (told.ms > ask.at + 1) fail(`the shell changed after the question of ${ask.at}`)
    if (told.seq > ask.seq) fail('the question was before the last change')
  }

  /** A rule covers it there, and nobody had taken that back. */
  function checkRule(start: OfType<'run_start'>, told: Told, fail: Fail): void {
    const { events } = clients[0]
    const rules = start.verdict?.rules ?? []
    if (rules.length === 0) fail('no rule lets it run')
    for (const id of rules) {
      const made = events.find(
        (event) => event.type === 'elicitation_response' && event.rule?.id === id,
      )
      if (made?.type !== 'elicitation_response') return fail('nobody made the rule')
      if (made.seq > start.seq || made.rule?.cwd !== told.cwd) fail('the rule is for elsewhere')
      const isOver = events.some(
        (event) => event.type === 'session_update' && event.revoked === id && event.seq < start.seq,
      )
      if (isOver || (revoked.get(id) ?? Infinity) < start.at) fail('the rule was taken back')
    }
    tally.ruled += 1
    if (start.cwd !== told.cwd) fail(`it was judged in ${start.cwd}`)
    if (told.seq > start.seq || told.ms > start.at + 1) fail('the shell changed after the verdict')
  }

  /** A command that only reads ran in the folder that it was judged in. */
  function checkReads(news: readonly Event[], fail: Fail): void {
    for (const event of news) {
      if (event.type !== 'run_start' || event.source !== 'model' || event.command !== 'pwd')
        continue
      const answer = news.find(
        (each) => each.type === 'tool_response' && each.request === event.request,
      )
      const printed =
        answer?.type === 'tool_response' ? /^\$ pwd\n(\/.*)\n\[exit 0/.exec(answer.content) : null
      if (event.verdict !== undefined) tally.unasked += 1
      if (printed !== null && printed[1] !== event.cwd) fail(`pwd was judged in ${event.cwd}`)
    }
  }

  return { race, tally, close: () => viewer.close() }
}

/** The name under which a command tells its state. */
const nameOf = (command: string) => /^npm install (\w)$/.exec(command)?.[1] ?? 'a'

type OfType<T extends Event['type']> = Event & { type: T }

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
