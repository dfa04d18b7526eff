import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../../protocol/events/event.ts'
import { defaultSessionLimits } from '../../protocol/limits.ts'
import type { RunSource } from '../../protocol/events/run.ts'
import { createMemoryStore } from '../store/memory.ts'
import { note, percentile, count, dayMs, emptyTally, type Tally } from './tally.ts'
import { createStats, statsOf } from './stats.ts'

const noon = 20_000 * dayMs + dayMs / 2

interface RunOptions {
  source?: RunSource
  private?: boolean
  exitCode?: number | null
  /** When it was asked for, started, ended and answered. */
  times?: readonly [number, number, number, number]
  durationMs?: number
  asked?: boolean
}

/** Writes a log: each method adds what a session would. */
function createLog() {
  const events: Event[] = []
  const at0 = noon
  const base = (at: number) => ({
    v: 1 as const,
    seq: events.length + 1,
    at: at0 + at,
    by: { kind: 'user' as const },
  })
  const meta = { isClientInitiated: true }
  const put = (event: Event) => {
    events.push(event)
    return event.seq
  }
  put({
    ...base(0),
    type: 'session_start',
    team: 'default',
    workspace: '/project',
    title: null,
    approval: 'guarded',
    limits: defaultSessionLimits,
  })

  function request(command: string, at: number, { source = 'bang', ...options }: RunOptions = {}) {
    const run = {
      command,
      source,
      lane: 'terminal' as const,
      private: options.private ?? false,
      timeoutMs: 0,
      thenTurn: false,
    }
    return put({
      ...base(at),
      type: 'tool_request',
      meta,
      name: 'terminal_execute',
      args: command,
      index: 0,
      step: null,
      run,
    })
  }
  function start(command: string, at: number, request: number | null, options: RunOptions = {}) {
    return put({
      ...base(at),
      type: 'run_start',
      run: `sh-00000000-0000-4000-8000-${String(events.length).padStart(12, '0')}`,
      request,
      command,
      source: options.source ?? 'bang',
      lane: 'terminal',
      private: options.private ?? false,
      generation: 1,
      timeoutMs: 0,
      cwd: '/project',
    })
  }
  function end(start: number, at: number, { exitCode = 0, durationMs = 0 }: RunOptions = {}) {
    const run = `sh-00000000-0000-4000-8000-${String(start - 1).padStart(12, '0')}`
    put({
      ...base(at),
      type: 'run_end',
      run,
      start,
      outcome: 'ended',
      exitCode,
      signal: null,
      durationMs,
      bytes: 0,
      omitted: 0,
      cwdAfter: null,
      ptyFrom: 0,
      ptyTo: 0,
      content: null,
    })
  }
  function answer(request: number, at: number, status: 'done' | 'denied' = 'done') {
    put({ ...base(at), type: 'tool_response', meta, request, status, content: '', inContext: true })
  }
  function run(command: string, options: RunOptions = {}) {
    const [asked, started, ended, answered] = options.times ?? [0, 0, 0, 0]
    const call = request(command, asked, options)
    if (options.asked)
      put({
        ...base(asked),
        type: 'elicitation_request',
        ask: '00000000-0000-4000-8000-000000000000',
        kind: 'approval',
        request: call,
        command,
        effective: command,
        reasons: [],
        cwd: null,
        generation: 1,
      })
    end(start(command, started, call, options), ended, options)
    answer(call, answered)
  }
  function skill(name: string, status: 'done' | 'denied' = 'done') {
    const call = put({
      ...base(0),
      type: 'tool_request',
      meta,
      name: 'activate_skill',
      args: name,
      index: 0,
      step: null,
      skill: name,
    })
    answer(call, 0, status)
  }
  return { events, request, start, end, answer, run, skill }
}

function tallyOf(events: readonly Event[]): Tally {
  const tally = emptyTally()
  for (const event of events) count(tally, event)
  return tally
}

const statsFrom = (...logs: { events: readonly Event[] }[]) =>
  statsOf(
    logs.map(({ events }) => tallyOf(events)),
    {},
    noon,
  )

test('[STAT3] sessions, runs by source and failures are counted', () => {
  const one = createLog()
  one.run('git status')
  one.run('git push', { exitCode: 1 })
  one.run('ls', { source: 'model' })
  const two = createLog()
  two.end(two.start('make', 0, null, { source: 'typed' }), 0, { exitCode: null, source: 'typed' })
  const { sessions, runs } = statsFrom(one, two)
  expect(sessions).toEqual({ total: 2, usingBang: 1, bangShare: 0.5 })
  expect(runs).toEqual({
    total: 4,
    perSession: 2,
    bySource: [
      { source: 'bang', runs: 2, sessions: 1, perSession: 1 },
      { source: 'model', runs: 1, sessions: 1, perSession: 0.5 },
      { source: 'typed', runs: 1, sessions: 1, perSession: 0.5 },
    ],
    private: 0,
    // A shell that does not say how it ended counts neither way.
    ended: 3,
    failed: 1,
    failureRate: 1 / 3,
  })
})

test('[STAT3] the overhead is what we add: before the run starts, and after the command is done', () => {
  const log = createLog()
  log.run('sleep 1', { times: [0, 7, 1_010, 1_012], durationMs: 1_000 })
  const { overhead } = statsFrom(log)
  expect(overhead).toEqual({
    start: { runs: 1, p50: 7, p95: 7 },
    end: { runs: 1, p50: 5, p95: 5 },
  })
})

test('[STAT3] time that a person or another run took is not ours', () => {
  const log = createLog()
  log.run('rm x', { asked: true, times: [0, 60_000, 60_000, 60_000] })
  const first = log.request('sleep 60', 0)
  const started = log.start('sleep 60', 2, first)
  const second = log.request('ls', 10)
  log.end(started, 60_000, { durationMs: 59_998 })
  log.answer(first, 60_000)
  const next = log.start('ls', 60_001, second)
  log.end(next, 60_002, { durationMs: 1 })
  log.answer(second, 60_002)
  log.run('pwd', { times: [60_003, 60_004, 60_005, 60_006], durationMs: 1 })
  const { overhead } = statsFrom(log)
  expect(overhead.start).toEqual({ runs: 2, p50: 1, p95: 2 })
  expect(overhead.end).toMatchObject({ runs: 4 })
})

test('[STAT1] programs are named once a run, private ones and what no shell found never', () => {
  const log = createLog()
  log.run('git add . && git commit -m secret')
  log.run('secret-tool login', { private: true })
  log.run('hunter2', { exitCode: 127 })
  log.run('npm test | tee log', { exitCode: 1 })
  const { programs, runs } = statsFrom(log)
  expect(programs).toEqual([
    { name: 'git', runs: 1 },
    { name: 'npm', runs: 1 },
    { name: 'tee', runs: 1 },
  ])
  expect(runs).toMatchObject({ total: 4, private: 1 })
  expect(JSON.stringify(statsFrom(log))).not.toMatch(/secret|hunter/)
})

test('[STAT3] a skill counts each time it was activated', () => {
  const log = createLog()
  log.skill('review')
  log.skill('review')
  log.skill('deploy', 'denied')
  expect(statsFrom(log).skills).toEqual([{ name: 'review', uses: 2 }])
})

test('[STAT3] days are counted back from today', () => {
  const log = createLog()
  log.run('ls')
  const tallies = [tallyOf(log.events)]
  const totalOf = (days: number, now: number) => statsOf(tallies, { days }, now).sessions.total
  expect(totalOf(1, noon)).toBe(1)
  expect(totalOf(1, noon + dayMs)).toBe(0)
  expect(totalOf(2, noon + dayMs)).toBe(1)
  expect(statsOf(tallies, { days: 1 }, noon + dayMs)).toMatchObject({
    first: null,
    sessions: { bangShare: null },
    runs: { total: 0, failureRate: null },
    overhead: { start: { runs: 0, p50: null, p95: null } },
  })
})

test('[STAT3] asking in between changes nothing, and only new events are read again', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('ls', 'git x', 'a | b'), fc.integer({ min: 0, max: 2 }))),
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }),
      async (runs, sizes) => {
        const log = createLog()
        for (const [command, exitCode] of runs) log.run(command, { exitCode })
        const store = createMemoryStore()
        const read: number[] = []
        const asked = createStats({
          clock: () => noon,
          store: {
            ...store,
            async read(session, range) {
              const events = await store.read(session, range)
              read.push(...events.map(({ seq }) => seq))
              return events
            },
          },
        })
        const id = '00000000-0000-7000-8000-000000000000'
        for (let at = 0, n = 0; at < log.events.length; n += 1) {
          const events = log.events.slice(at, at + sizes[n % sizes.length]!)
          await store.append(id, at, { events })
          at += events.length
          await asked({})
        }
        expect(await asked({})).toEqual(statsFrom(log))
        expect(read).toEqual(log.events.map(({ seq }) => seq))
      },
    ),
  ))

test('[STAT3] a percentile is a time that so many stayed within, to three digits', () =>
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1 }),
      fc.constantFrom(0.5, 0.95),
      (times, part) => {
        const histogram = new Map<number, number>()
        for (const ms of times) note(histogram, ms)
        const found = percentile(histogram, part) ?? -1
        const sorted = times.toSorted((a, b) => a - b)
        const exact = sorted[Math.ceil(times.length * part) - 1] ?? 0
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact < 1_000 ? 0 : exact * 0.005)
      },
    ),
  ))
