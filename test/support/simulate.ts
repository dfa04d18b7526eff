import fc from 'fast-check'
import { assertNever } from '../../src/base/assert-never.ts'
import { ApprovalMode } from '../../src/protocol/events/approval-mode.ts'
import type { AskScope } from '../../src/protocol/events/ask.ts'
import type { By } from '../../src/protocol/events/event-base.ts'
import type { Dialect, ModelSetup } from '../../src/protocol/events/epoch.ts'
import type { Event } from '../../src/protocol/events/event.ts'
import type { Intent } from '../../src/protocol/http/intent.ts'
import { defaultSessionLimits } from '../../src/protocol/limits.ts'
import type { ReplyPart } from '../../src/protocol/events/message.ts'
import { ok, refused } from '../../src/base/result.ts'
import type { RunStart } from '../../src/protocol/events/run.ts'
import { evolve } from '../../src/log/evolve.ts'
import { isAround, terminalRun } from '../../src/log/open.ts'
import { initialState, noUsage, type SessionState } from '../../src/log/state.ts'
import { openAppend } from '../../src/session/append.ts'
import { type Asked, shellTags } from '../../src/session/calls/asked.ts'
import { type Catalogue, emptyWorld, type World } from '../../src/session/catalogue.ts'
import { whole } from '../../src/base/text.ts'
import { due, type Effect } from '../../src/session/due.ts'
import { giveShell } from '../../src/session/decide/give-shell.ts'
import type { ReplyEnded, Report } from '../../src/session/record/report.ts'
import { tools } from '../../src/session/calls/tools.ts'
import { loadSession } from '../../src/server/session/recover.ts'
import type { Work } from '../../src/server/session/perform.ts'
import { createMemoryStore } from '../../src/server/store/memory.ts'
import { openSimulatedHost, quiet, type SimulatedHost, type UnderWay } from './simulated-host.ts'

/** One thing that happens to a session: somebody asks, something finishes, or the server dies. */
export type Happening =
  | { type: 'submit'; text: string; as: 'auto' | 'run' | 'text' }
  | {
      type: 'answer'
      pick: number
      outcome: 'allow' | 'deny'
      word?: string
      command?: string
      scope?: AskScope
    }
  | { type: 'abort' }
  | { type: 'withdraw'; pick: number }
  | { type: 'edit'; pick: number; text: string }
  | { type: 'update'; private: boolean }
  /** The picked effect reports; `fate` says how it went. */
  | { type: 'effect'; pick: number; fate: number; text: string }
  /** A report that came before comes once more. */
  | { type: 'late'; pick: number }
  /** A person types a command into the terminal, and it starts, ends, or both. */
  | { type: 'typed'; text: string; what: 'starts' | 'ends' | 'both' }
  /** A shell inside is adopted, or the innermost itself anew; or one of them ends. */
  | { type: 'adopt'; deeper: boolean }
  | { type: 'leave'; pick: number }
  | { type: 'shell-dies' }
  /** Another session wants the shell, and gets it if it is free. */
  | { type: 'give' }
  | { type: 'crash'; holderLives: boolean; text: string }

/** Two repos, a skill, a command file that runs things, a file, a folder, and a file that asks. */
const world: World = {
  ...emptyWorld,
  trusted: true,
  teamFolder: '/team',
  repos: [
    { name: 'front', path: '/front' },
    { name: 'back', path: '/back' },
  ],
  skills: [{ name: 'tidy', description: 'tidies up', source: 'user', path: '/skills/tidy' }],
  files: [
    {
      name: 'git:look',
      description: 'looks',
      syntax: 'md',
      template: 'Look at $ARGUMENTS and @a.ts: !`pwd` !`rm -rf x`',
      source: 'project',
    },
  ],
  mentions: new Map([
    ['a.ts', { file: '/project/a.ts', kind: 'file', ask: null }],
    ['src/', { file: '/project/src', kind: 'folder', ask: null }],
    ['.env', { file: '/project/.env', kind: 'file', ask: 'it may hold secrets' }],
  ]),
}

/** The set-up of each model that a session may be switched to; one stands for two models of its dialect. */
export type SimulatedModels = Dialect | ModelSetup | readonly ModelSetup[]

/** That world with these models. */
export function catalogueOf(models: SimulatedModels, chosen: string | null = null): Catalogue {
  const list =
    typeof models === 'string'
      ? bothOf(testSetup(models))
      : 'model' in models
        ? bothOf(models)
        : models
  const find = (name: string | null) => list.find(({ model }) => model === name)
  const first = list[0]
  if (first === undefined) throw new Error('a session needs a model')
  return {
    ...world,
    setup: find(chosen) ?? first,
    pick: (other) => {
      const value = find(other)
      return value ? { ok: true, value } : { ok: false, error: 'there is no such model' }
    },
    facts: '[facts]',
    noInput: null,
    mark: null,
  }
}

export const catalogue = catalogueOf('tags')

function bothOf(base: ModelSetup): readonly ModelSetup[] {
  return ['test/model', 'test/other'].map((model) => ({ ...base, model }))
}

function testSetup(dialect: Dialect): ModelSetup {
  return {
    model: 'test/model',
    adapter: 'openai-chat',
    dialect,
    system: 'You share a shell.',
    tools: dialect === 'tools' ? [...tools] : [],
    renderVersion: 1,
  }
}

const inputs = [
  'hello',
  'do it',
  'go on',
  'and then?',
  '  spaced  ',
  '!ls',
  '!!secret',
  '!?make',
  '!',
  '\\!not a command',
  '/nope',
  '/cache',
  '/compact',
  '/model test/other',
  '/model test/model',
  '/model nobody/here',
  'a\0b',
  '!a\0b',
  'see @a.ts:2-9, and @src/ @nothing',
  'see @.env',
  '/shell --repo back make',
  '/shell sleep 9',
  '/shell --repo nowhere ls',
  '/skill tidy',
  '/tidy the kitchen',
  '/git:look here',
  '/title  a title ',
  '/private',
  '/stop',
  '/approve',
  '/deny not so',
  '/task create x',
  '/status',
  '/adopt',
]
const replies = [
  'done',
  'first <shell>ls</shell>\n\nthen <shell timeout="60">make</shell>',
  '<shell>make test</shell>',
  '<input>yes</input>',
  '<shell>python3</shell><input>1+1</input><interrupt/>',
  '<input keys="Down Down"/><interrupt/>',
  '',
  '   ',
  'look <shell>ls</shell>',
  '<shell>rm -rf x</shell> and <shell>pwd</shell>',
  'broken <shell>ls',
  '<shell></shell>',
  '```\n<shell>no</shell>\n```',
  '<shell>a</shell><shell>b</shell><shell>pwd</shell>',
  '<shell>cd /</shell><!-- read --><!-- read -->',
  'as told <!-- skill --><!-- read -->',
  'hm <!-- resize --> <!-- unknown --> <!-- doubled --><!-- doubled -->',
]

const pick = fc.nat(20)

export const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('submit' as const),
      text: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...inputs) }, fc.string()),
      as: fc.constantFrom('auto' as const, 'auto' as const, 'run' as const, 'text' as const),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant('effect' as const),
      pick,
      fate: fc.nat(9),
      text: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...replies) }, fc.string()),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        type: fc.constant('answer' as const),
        pick,
        outcome: fc.constantFrom('allow' as const, 'deny' as const),
        word: fc.constantFrom('not this one', ' '),
        command: fc.constantFrom('ls -la', 'rm x'),
        scope: fc.constantFrom('once' as const, 'reply' as const, 'session' as const),
      },
      { requiredKeys: ['type', 'pick', 'outcome'] },
    ),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'abort' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('withdraw' as const), pick }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('edit' as const), pick, text: fc.string() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('update' as const), private: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('late' as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('typed' as const),
      text: fc.oneof(fc.constantFrom('ls', 'cd /', 'a\nb', ''), fc.string()),
      what: fc.constantFrom('starts' as const, 'ends' as const, 'both' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('adopt' as const), deeper: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('leave' as const), pick }) },
  { weight: 1, arbitrary: fc.constant({ type: 'shell-dies' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'give' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('crash' as const),
      holderLives: fc.boolean(),
      text: fc.string(),
    }),
  },
)

export const happenings = fc.array(happening, { minLength: 1, maxLength: 80, size: 'max' })

/**
 * A session driven by happenings. Its writer, its store and its effects are the product's own; the world around it
 * (terminal, model, files, clock) is played: an effect that was started ends when a happening says so.
 */
export interface Simulation {
  /** As it is in the store. */
  readonly log: readonly Event[]
  readonly state: SessionState
  /** The length of the log after each happening. */
  readonly cuts: readonly number[]
  happen(happening: Happening): Promise<void>
  /** What was started and has not ended. */
  underWay(): readonly UnderWay[]
  /** The effect that an `effect` happening would play. */
  effect(pick: number): Effect | undefined
  report(report: Report): Promise<void>
  /** Every report that ever came comes once more, but for those that still close something. */
  repeatReports(): Promise<void>
  /** Lets everything that is under way come to an end, and answers what is asked. */
  settle(): Promise<void>
}

/** Printed by every private run. */
export const privateWord = 'PRIVATE-OUTPUT'

const zeroEnd = { signal: null, durationMs: 5, bytes: 3, omitted: 0, ptyFrom: 0, ptyTo: 3 }

const seq = fc.integer({ min: 1, max: 60 })
const askId = fc.constant('ask-00000000-0000-7000-8000-000000000000')

/** Any intent a client could send, sensible or not. */
export const anyIntent: fc.Arbitrary<Intent> = fc.oneof(
  fc.record({
    type: fc.constant('submit' as const),
    text: fc.string({ unit: 'binary' }),
    as: fc.constantFrom('auto' as const, 'run' as const, 'text' as const),
  }),
  fc.record({
    type: fc.constant('answer' as const),
    ask: askId,
    outcome: fc.constantFrom('allow' as const, 'deny' as const),
    word: fc.string(),
  }),
  fc.constant({ type: 'abort' as const }),
  fc.record({
    type: fc.constant('interrupt' as const),
    signal: fc.constantFrom('int' as const, 'term' as const, 'kill' as const, 'restart' as const),
  }),
  fc.record({
    type: fc.constant('shell' as const),
    command: fc.string({ unit: 'binary' }),
    repo: fc.constantFrom('front', 'x', null, undefined),
    cwd: fc.constantFrom('/tmp', 'sub', null, undefined),
    source: fc.constant('api' as const),
  }),
  fc.constant({ type: 'drive' as const, driver: 'person' as const }),
  fc.constant({ type: 'adopt' as const }),
  fc.record({ type: fc.constant('withdraw' as const), seq }),
  fc.record({ type: fc.constant('edit_queued' as const), seq, text: fc.string() }),
  fc.record({ type: fc.constant('update' as const), title: fc.string() }),
)

const adoptedShell = {
  shell: fc.constant('bash' as const),
  pid: fc.constant(8),
  cwd: fc.constantFrom('/inside', '/work'),
  place: fc.constant('root@box'),
}

/** Any report, for things that are open, closed or never were. */
export const anyReport: fc.Arbitrary<Report> = fc.oneof(
  fc
    .tuple(seq, fc.nat(9), fc.string({ unit: 'binary' }))
    .map(([step, fate, text]) => replyOf(step, fate, text)),
  fc.record({
    type: fc.constant('judged' as const),
    call: seq,
    verdict: fc.constant({
      decision: 'allow' as const,
      grade: 'reads' as const,
      reasons: [],
      effective: '',
      looks: [],
      names: [],
      offer: null,
      rules: [],
    }),
    cwd: fc.constant(null),
    stamp: fc.nat(9),
    terms: fc.constantFrom(...ApprovalMode.options),
  }),
  fc.record({
    type: fc.constant('shell-started' as const),
    generation: fc.nat(5),
    shell: fc.constant('bash' as const),
    pid: fc.constant(1),
    cwd: fc.string(),
    integration: fc.constant('full' as const),
  }),
  fc.record({
    type: fc.constant('shell-failed' as const),
    generation: fc.nat(5),
    message: fc.string(),
  }),
  fc.record({
    type: fc.constant('shell-ended' as const),
    generation: fc.nat(5),
    reason: fc.constantFrom('exited' as const, 'lost' as const),
    exitCode: fc.constant(null),
    signal: fc.constant(null),
  }),
  fc.tuple(seq, fc.string()).map(([run, text]): Report => ({
    type: 'run-ended',
    run,
    outcome: 'ended',
    exitCode: 1,
    cwdAfter: null,
    output: whole(text),
    ...zeroEnd,
  })),
  fc.tuple(seq, fc.string()).map(([run, text]): Report => ({
    type: 'run-timed-out',
    run,
    afterMs: 1,
    output: whole(text),
  })),
  fc.record({
    type: fc.constant('typed-started' as const),
    generation: fc.nat(5),
    command: fc.string({ unit: 'binary' }),
    ptyFrom: fc.nat(99),
  }),
  fc.tuple(fc.nat(5), fc.string(), fc.nat(99)).map(([generation, command, ptyFrom]): Report => ({
    ...typedEnd,
    generation,
    command,
    ptyFrom,
  })),
  fc.record({ type: fc.constant('typed-over' as const), generation: fc.nat(5) }),
  fc.record({
    ...adoptedShell,
    type: fc.constant('shell-adopted' as const),
    generation: fc.nat(5),
    level: fc.nat(3),
    ptyAt: fc.nat(99),
  }),
  fc.record({
    type: fc.constant('shell-left' as const),
    generation: fc.nat(5),
    level: fc.nat(3),
    ptyAt: fc.nat(99),
  }),
  fc.constant({ type: 'recovered' as const, draft: null }),
)

const typedEnd = {
  type: 'typed-ended' as const,
  exitCode: 1,
  durationMs: 5,
  bytes: 3,
  omitted: 0,
  cwdAfter: '/typed',
  ptyTo: 3,
}

const bash = { shell: 'bash', integration: 'full' } as const

export const testPerson: By = { kind: 'user', client: 'test' }

/** A clock and ids that count. */
export function countedTime(): { clock(): number; uuid(): string } {
  let time = 1_000
  let ids = 0
  return {
    clock: () => ++time,
    uuid: () => `00000000-0000-7000-8000-${(++ids).toString(16).padStart(8, '0')}0000`,
  }
}

/** The first events of a simulated session. */
function begin(settings: { attended?: boolean }): readonly Event[] {
  const uuid = '00000000-0000-7000-8000-000000000000'
  const start = openAppend(initialState, { at: 1_000, uuid, by: { kind: 'user' }, body: null })
  start.add({
    type: 'session_start',
    team: 'default',
    workspace: '/work',
    title: null,
    approval: 'guarded',
    limits: { ...defaultSessionLimits, stepsPerTurn: 4 },
    ...settings,
  })
  return start.events
}

/** The id of every simulated session. */
const sessionId = '00000000-0000-7000-8000-0000000000aa'

export function simulate(
  world: SimulatedModels = 'tags',
  settings: { attended?: boolean } = {},
): Simulation {
  const started = begin(settings)
  const { dialect } = catalogueOf(world).setup
  const log: Event[] = [...started]
  const cuts: number[] = []
  const reports: Report[] = []
  const time = countedTime()
  const store = createMemoryStore()
  // It keeps them before it answers.
  void store.append(sessionId, 0, { events: started })
  let host = open(started.reduce(evolve, initialState))
  const state = () => host.writer.state()

  function open(from: SessionState): SimulatedHost {
    return openSimulatedHost({
      ...time,
      id: sessionId,
      store,
      state: from,
      catalogue: ({ model }) => catalogueOf(world, model),
      onStored: (events) => log.push(...events),
      onReport: (report) => reports.push(report),
    })
  }

  async function intend(intent: Intent): Promise<void> {
    await host.writer.handle(intent, testPerson)
    await quiet()
  }

  async function report(body: Report): Promise<void> {
    reports.push(body)
    await host.writer.report(body)
    await quiet()
  }

  async function give(): Promise<void> {
    const shell = { session: 'session-1', to: 'session-2', ptyAt: 0, ...bash } as const
    await host.writer.inTurn(async ({ drain, envelope, commit }) => {
      await drain()
      const left = giveShell(state(), envelope(shell))
      if (left.ok) await commit(left.value.events)
      return ok(null)
    })
  }

  function reply(step: number, fate: number, text: string): ReplyEnded {
    const ended = replyOf(step, fate, text)
    return dialect === 'tags' ? ended : { ...ended, parts: nativeParts(text, step) }
  }

  /** How an effect comes to its end; `waits` and a limit are told of one that goes on. */
  function told(work: Work, fate: number, text: string): { report: Report; isLast: boolean } {
    const last = (body: Report) => ({ report: body, isLast: true })
    const passing = (body: Report) => ({ report: body, isLast: false })
    const output = whole(text)
    switch (work.type) {
      case 'call-model':
        return last(reply(work.step, fate, text))
      case 'start-shell': {
        const { generation, cwd } = work
        if (fate === 0) return last({ type: 'shell-failed', generation, message: 'no shell' })
        // Its folder may be gone by now.
        const where = fate === 1 ? '/parent' : cwd
        return last({ type: 'shell-started', generation, pid: 7, cwd: where, ...bash })
      }
      case 'judge':
        throw new Error('the host judges at once')
      case 'act': {
        const no = fate === 0 ? 'no' : null
        return last({ type: 'act-done', call: work.call, refused: no, state: 'waiting', output })
      }
      case 'command': {
        const status = fate === 0 ? 'error' : 'done'
        const call = work.call.seq
        return last({ type: 'command-done', call, status, content: text, inContext: fate > 5 })
      }
      case 'compact': {
        const next = fate === 0 ? refused('no summary') : ok('00000000-0000-7000-8000-000000000001')
        return last({ type: 'compacted', turn: work.turn, next })
      }
      case 'await-terminal':
        return last({ type: 'terminal-busy', call: work.call, run: work.run })
      case 'run': {
        const run = work.run.seq
        if (fate === 6) return passing({ type: 'run-waits', run, state: 'waiting', output })
        if (fate === 0) return passing({ type: 'run-timed-out', run, afterMs: 30_000, output })
        return last(runEnd(work.run, fate, text))
      }
      default:
        return assertNever(work)
    }
  }

  /** The end of what was aborted, if it has one: it may also have come whole in that very moment. */
  function toldLate(work: Work, fate: number, text: string): Report {
    if (work.type === 'call-model')
      return { ...reply(work.step, 1, text), stop: fate > 5 ? 'done' : 'aborted' }
    if (work.type === 'run') return runEnd(work.run, 9, text)
    return told(work, fate, text).report
  }

  function runEnd({ seq: run, private: isPrivate }: RunStart, fate: number, text: string): Report {
    const exitCode = fate > 6 ? 1 : 0
    const cwdAfter = fate === 5 ? '/elsewhere' : '/work'
    const outcome = fate === 4 ? ('not_started' as const) : ('ended' as const)
    // Of a model's run it means: the shell itself was no longer where it was judged.
    const moved = fate === 4 && text.length % 2 === 0 && { moved: true as const }
    const output = whole(isPrivate ? `${privateWord} ${text}` : text)
    return { type: 'run-ended', run, outcome, exitCode, cwdAfter, output, ...zeroEnd, ...moved }
  }

  async function play({ pick, fate, text }: Happening & { type: 'effect' }): Promise<void> {
    const effect = at(due(state()), pick)
    const all = host.underWay()
    const begun = effect ? all.find(({ work }) => work.key === effect.key) : at(all, pick)
    if (effect && !begun) throw new Error(`${effect.key} is due, and nobody is at it`)
    if (!begun) return endOpen(text)
    const { work } = begun
    if (begun.isVanished()) await begun.end(toldLate(work, fate, text))
    else {
      const { report, isLast } = told(work, fate, text)
      await (isLast ? begun.end(report) : begun.tell(report))
    }
    await quiet()
  }

  /** A run that no effect is at: a person's own, or one that was stopped when an earlier server died. */
  async function endOpen(text: string): Promise<void> {
    const run = state().runs[0]
    if (run?.source === 'typed') await typed({ type: 'typed', text, what: 'ends' })
    else if (run) await report(runEnd(run, 9, text))
  }

  async function shellEnds(reason: 'exited' | 'lost'): Promise<void> {
    const { generation } = state().shell
    if (generation === 0) return
    await report({ type: 'shell-ended', generation, reason, exitCode: 0, signal: null })
  }

  async function leave(pick: number): Promise<void> {
    const { levels, shell } = state()
    const level = at(levels, pick)
    if (level === undefined) return
    const number = levels.indexOf(level) + 1
    const { generation } = shell
    await report({ type: 'shell-left', generation, level: number, ptyAt: level.ptyAt })
  }

  async function typed({ text, what }: Happening & { type: 'typed' }): Promise<void> {
    const { shell, private: isPrivate, runs, lastTyped } = state()
    const { generation } = shell
    const command = isPrivate ? privateWord : text
    const open = runs.findLast((run) => run.source === 'typed')
    const ptyFrom = open?.ptyFrom ?? lastTyped + 1
    if (what !== 'ends') await report({ type: 'typed-started', generation, command, ptyFrom })
    if (what !== 'starts') await report({ ...typedEnd, generation, command, ptyFrom })
  }

  /** Another server comes, and finds what the store has and what lives. */
  async function crash({ holderLives, text }: Happening & { type: 'crash' }): Promise<void> {
    const { step } = state()
    await host.die()
    if (step) await store.saveDraft(sessionId, { step: step.seq, text })
    const stored = await loadSession(store, sessionId)
    if (stored === null) throw new Error('the store has lost the session')
    host = open(stored)
    await host.recover(holderLives)
    await quiet()
    if (holderLives) await report({ type: 'typed-over', generation: state().shell.generation })
  }

  async function happen(happening: Happening): Promise<void> {
    await step(happening)
    cuts.push(log.length)
  }

  async function step(happening: Happening): Promise<void> {
    switch (happening.type) {
      case 'submit':
        return intend({ type: 'submit', text: happening.text, as: happening.as })
      case 'answer': {
        const ask = at(state().asks, happening.pick)
        if (!ask) return
        const { outcome, word, command, scope } = happening
        return intend({
          type: 'answer',
          ask: ask.ask,
          outcome,
          ...(word !== undefined && { word }),
          ...(command !== undefined && outcome === 'allow' && { command }),
          ...(scope !== undefined && { scope }),
        })
      }
      case 'abort':
        return intend({ type: 'abort' })
      case 'withdraw': {
        const waiting = [...state().queue.map(({ seq }) => seq), ...state().calls.map(seqOf)]
        return intend({ type: 'withdraw', seq: at(waiting, happening.pick) ?? 1 })
      }
      case 'edit': {
        const seq = at(state().queue, happening.pick)?.seq ?? 1
        return intend({ type: 'edit_queued', seq, text: happening.text })
      }
      case 'update':
        return intend({ type: 'update', private: happening.private })
      case 'effect':
        return play(happening)
      case 'late': {
        const before = log.length
        const earlier = at(reports, happening.pick)
        if (!earlier || isStillOpen(state(), earlier)) return
        await report(earlier)
        if (log.length !== before) throw new Error(`a late ${earlier.type} report changed the log`)
        return
      }
      case 'typed':
        return typed(happening)
      case 'adopt': {
        const { levels, shell, lastAdopted } = state()
        const level = levels.length + (happening.deeper ? 1 : 0)
        const { generation } = shell
        const adopted = { shell: 'bash', pid: 8, cwd: '/inside', place: 'root@box' } as const
        const ptyAt = lastAdopted + 1
        return report({ type: 'shell-adopted', ...adopted, generation, level, ptyAt })
      }
      case 'leave':
        return leave(happening.pick)
      case 'shell-dies':
        return shellEnds('exited')
      case 'give':
        return give()
      case 'crash':
        return crash(happening)
      default:
        return assertNever(happening)
    }
  }

  return {
    log,
    cuts,
    get state() {
      return state()
    },
    happen,
    underWay: () => host.underWay(),
    effect: (pick) => at(due(state()), pick),
    report,
    async repeatReports() {
      const all = reports.slice()
      for (const earlier of all)
        if (earlier.type !== 'recovered' && !isStillOpen(state(), earlier)) await report(earlier)
    },
    async settle() {
      for (let round = 0; round < 1_000 && hasOpen(state()); round++) {
        const { calls, runs, asks, turn, levels } = state()
        const isIdle = calls.length + runs.length + asks.length === 0
        if (isIdle && turn === null && levels.length > 0) await leave(0)
        else if (asks.length > 0) await happen({ type: 'answer', pick: 0, outcome: 'deny' })
        else await happen({ type: 'effect', pick: 0, fate: 3, text: 'done' })
      }
    },
  }
}

/** What a tagged reply says, said with native calls: raw arguments, signed thoughts, and their faults. */
export function nativeParts(text: string, step: number): readonly ReplyPart[] {
  const said = text.replaceAll(/<(shell|input|interrupt|!--)[\s\S]*$/g, '')
  const calls = shellTags(text).map(callOf)
  const others = [...text.matchAll(/<!-- (\w+) -->/g)].map(([, name = '']) => oddCall(name, step))
  const parts: ReplyPart[] = []
  if (text.length % 3 === 1) parts.push({ type: 'thinking', text: 'hm', opaque: `"sig-${step}"` })
  if (said !== '') parts.push({ type: 'text', text: said })
  const raw = [...calls, ...others].map((call, index) => ({
    type: 'call' as const,
    id: call.id ?? `call-${step}-${index}`,
    name: call.name,
    args: call.args,
  }))
  return [...parts, ...raw]
}

/** Each provider signs for itself. */
export function unsigned(part: ReplyPart): ReplyPart {
  const { opaque, ...rest } = part
  return opaque === undefined ? part : rest
}

interface Said {
  name: string
  args: string
  id?: string
}

function callOf(asked: Asked): Said {
  if (asked.kind === 'broken') return { name: 'terminal_execute', args: '{ "command": ' }
  if (asked.kind === 'command') {
    const timeout = asked.timeoutMs === null ? '' : `, "timeout": ${asked.timeoutMs / 1_000}`
    const args = `{ "command" :  ${JSON.stringify(asked.command)}${timeout} }`
    return { name: 'terminal_execute', args }
  }
  if (asked.kind === 'skill')
    return { name: 'activate_skill', args: JSON.stringify({ name: asked.name }) }
  const { act } = asked
  if (act.type === 'text')
    return { name: 'terminal_write', args: JSON.stringify({ text: act.text }) }
  if (act.type === 'keys')
    return { name: 'terminal_write', args: JSON.stringify({ keys: act.names.join(' ') }) }
  return { name: 'terminal_interrupt', args: '{}' }
}

/** Providers give no id to two replies, but some give one to two calls of a reply. */
function oddCall(name: string, step: number): Said {
  if (name === 'read') return { name: 'terminal_read', args: '{"lines": 5}' }
  if (name === 'resize') return { name: 'terminal_resize', args: '{"rows":40,"cols":120}' }
  if (name === 'skill') return { name: 'activate_skill', args: '{"name":"tidy"}' }
  if (name === 'doubled') return { name: 'terminal_read', args: '{}', id: `twice-${step}` }
  return { name: 'no_such_tool', args: '{"x":1e2}' }
}

function replyOf(step: number, fate: number, text: string): ReplyEnded {
  const stop = fate === 0 ? 'failed' : fate === 1 ? 'length' : 'done'
  return {
    type: 'reply-ended',
    step,
    parts: [{ type: 'text', text }],
    stop,
    usage: noUsage,
    witness: { prefixBytes: 0, ok: true },
  }
}

/** Whether a report still has something to close: then it is not late. */
function isStillOpen(state: SessionState, report: Report): boolean {
  switch (report.type) {
    case 'reply-retried':
    case 'reply-ended':
      return state.step?.seq === report.step && state.step.phase === 'asking'
    case 'judged':
      return state.calls.some((call) => call.request.seq === report.call)
    case 'shell-started':
    case 'shell-failed':
      return state.shell.phase !== 'live' && report.generation === state.shell.generation + 1
    case 'shell-ended':
      return state.shell.phase === 'live' && report.generation === state.shell.generation
    case 'act-done':
    case 'command-done':
    case 'terminal-busy':
      return state.calls.some((call) => call.request.seq === report.call)
    case 'typed-started':
      return isTypedNews(state, report) && terminalRun(state) === undefined
    case 'typed-ended':
      return (
        state.runs.some((run) => run.ptyFrom === report.ptyFrom) ||
        (isTypedNews(state, report) && terminalRun(state) === undefined)
      )
    case 'typed-over':
      return state.runs.some((run) => run.source === 'typed' && !isAround(state, run))
    case 'shell-adopted': {
      const { shell, levels, lastAdopted } = state
      const isLive = shell.phase === 'live' && report.generation === shell.generation
      return isLive && report.ptyAt > lastAdopted && report.level <= levels.length + 1
    }
    case 'shell-left':
      return state.levels[report.level - 1]?.ptyAt === report.ptyAt
    case 'run-waits':
    case 'run-ended':
    case 'run-timed-out':
      return state.runs.some((run) => run.seq === report.run)
    case 'compacted':
      return state.summary === report.turn
    case 'recovered':
      return true
  }
}

function isTypedNews(
  { shell, lastTyped }: SessionState,
  { generation, ptyFrom }: { generation: number; ptyFrom: number },
): boolean {
  return shell.phase === 'live' && generation === shell.generation && ptyFrom > lastTyped
}

export function hasOpen(state: SessionState): boolean {
  return (
    state.turn !== null ||
    state.step !== null ||
    state.calls.length + state.runs.length + state.asks.length + state.levels.length > 0
  )
}

function seqOf(call: SessionState['calls'][number]): number {
  return call.request.seq
}

function at<T>(list: readonly T[], index: number): T | undefined {
  return list.length === 0 ? undefined : list[index % list.length]
}
