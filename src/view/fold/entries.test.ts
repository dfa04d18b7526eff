import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyLog, askId, createLog, runId, type Item } from '../../../test/client/logs.ts'
import { simulate } from '../../../test/support/simulate.ts'
import { status } from '../../log/open.ts'
import { unknownEnd } from '../../session/record/run-end.ts'
import { applyDelta } from './deltas.ts'
import { applyEvent, viewOf } from './entries.ts'
import { eachEntry, findEntry } from './entry-list.ts'
import type { Entry } from './entry.ts'
import { runLabel } from '../words/run.ts'
import { isQuiet, statusOf } from '../status.ts'
import { entryText } from '../../cli/text/entry-text.ts'
import { shownThoughts } from '../words/clock.ts'
import { emptyView, type View } from './view.ts'

const apply = (view: View, item: Item): View =>
  'event' in item ? applyEvent(view, item.event) : applyDelta(view, item.delta)
const fold = (items: readonly Item[], from = emptyView): View => items.reduce(apply, from)
const list = (view: View): Entry[] => [...eachEntry(view.entries)]
const durable = (items: readonly Item[]) =>
  items.flatMap((item) => ('event' in item ? [item.event] : []))

test('[VIEW1] a stream cut anywhere and resumed from any earlier place gives the whole view', () =>
  fc.assert(
    fc.property(anyLog, fc.nat(), fc.nat(), (items, cut, back) => {
      const at = cut % (items.length + 1)
      const from = at === 0 ? 0 : back % at
      expect(fold(items.slice(from), fold(items.slice(0, at)))).toEqual(fold(items))
    }),
  ))

test('[VIEW2] deltas never change what is settled: with or without them the closed log looks the same', () =>
  fc.assert(
    fc.property(anyLog, (items) => {
      expect(fold(items)).toEqual(viewOf(durable(items)))
    }),
  ))

test('[VIEW2] a repeated fragment, an overlap and a gap never garble an open reply', () =>
  fc.assert(
    fc.property(fc.string(), fc.array(fc.tuple(fc.nat(20), fc.nat(20))), (text, pieces) => {
      const log = createLog()
      log.start()
      const step = log.step(log.turn(log.prompt('hi')))
      for (const [offset, length] of pieces)
        log.delta({
          type: 'message_delta',
          step,
          offset,
          text: text.slice(offset, offset + length),
        })
      const entry = findEntry(fold(log.items).entries, step)
      const shown =
        entry?.kind === 'reply' && entry.reply.phase === 'open' ? entry.reply.live.text : null
      expect(text.startsWith(shown ?? 'not open')).toBe(true)
    }),
  ))

test('[VIEW1] entries stay in log order, keep their place and are never taken away', () =>
  fc.assert(
    fc.property(anyLog, fc.nat(), (items, cut) => {
      const before = list(fold(items.slice(0, cut % (items.length + 1))))
      const after = list(fold(items))
      const seqs = after.map((entry) => entry.seq)
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
      expect(seqs.slice(0, before.length)).toEqual(before.map((entry) => entry.seq))
    }),
  ))

test('[VIEW1] a client that joins in the middle sees all that begins afterwards as everyone does', () =>
  fc.assert(
    fc.property(anyLog, fc.nat(), (items, cut) => {
      const events = durable(items)
      const from = cut % (events.length + 1)
      const whole = list(viewOf(events)).filter((entry) => entry.seq > (events[from - 1]?.seq ?? 0))
      const late = new Map(list(viewOf(events.slice(from))).map((entry) => [entry.seq, entry]))
      expect(whole.map((entry) => late.get(entry.seq))).toEqual(whole)
    }),
  ))

test('[VIEW6] the view and the session agree on what is under way', () =>
  fc.assert(
    fc.property(anyLog, (items) => {
      let view = emptyView
      for (const item of items) {
        view = apply(view, item)
        expect(statusOf(view).status).toBe(status(view.state))
        const open = list(view).filter((e) => e.kind === 'run' && e.state.phase === 'running')
        expect(open).toHaveLength(view.state.runs.length)
      }
      expect(isQuiet(view)).toBe(true)
    }),
  ))

test('[VIEW16] thoughts grow, begin anew with an attempt, and stay with their reply', () => {
  const log = createLog()
  log.start()
  const step = log.step(log.turn(log.prompt('hi')))
  const think = (attempt: number, offset: number, text: string, ms?: number) =>
    log.delta({
      type: 'thinking_delta',
      step,
      attempt,
      offset,
      text,
      ...(ms !== undefined && { ms }),
    })
  const shown = () => {
    const entry = findEntry(fold(log.items).entries, step)
    return entry?.kind === 'reply' ? shownThoughts(entry) : null
  }
  expect(shown()).toBeNull()
  think(1, 0, 'first')
  expect(shown()).toEqual({ text: 'first', ms: null, isThinking: true })
  think(2, 0, '')
  expect(shown()).toBeNull()
  think(1, 5, ' late')
  think(2, 0, 'sec')
  think(2, 3, 'ond', 7_000)
  expect(shown()).toEqual({ text: 'second', ms: 7_000, isThinking: false })
  log.add({
    type: 'message',
    role: 'assistant',
    parts: [
      { type: 'thinking', text: 'second' },
      { type: 'thinking', text: '', opaque: 'x' },
      { type: 'thinking', text: 'third' },
      { type: 'text', text: 'So.' },
    ],
    step,
    stop: 'done',
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
    thoughtMs: 7_100,
    witness: { prefixBytes: 0, ok: true },
    inContext: true,
    synthetic: false,
    by: { kind: 'model' },
  })
  expect(shown()).toEqual({ text: 'second\n\nthird', ms: 7_100, isThinking: false })
  const entry = findEntry(fold(log.items).entries, step)
  expect(entry && entryText(entry)).toBe('[Thought for 7 s]\nSo.')
})

test('[VIEW7] a run goes from pending to running to settled at the place of its call', () => {
  const log = createLog()
  log.start()
  const call = log.call('git status')
  const phase = () => {
    const entry = findEntry(fold(log.items).entries, call)
    return entry?.kind === 'run' ? entry.state : null
  }
  expect(phase()).toEqual({ phase: 'pending' })
  const start = log.runStart(call, 'git status')
  log.delta({ type: 'tool_update', request: call, output: { offset: 0, text: 'On branch' } })
  const running = { phase: 'running', run: runId(start), startedAt: 1_000 + start * 100 }
  const live = { from: 0, text: 'On branch' }
  expect(phase()).toEqual({ ...running, live, note: null })
  log.delta({ type: 'tool_update', request: call, status: 'stopping' })
  expect(phase()).toEqual({ ...running, live, note: 'stopping' })
  log.prompt('meanwhile')
  log.runEnd(start, 130)
  log.respond(call, 'error')
  expect(phase()).toMatchObject({
    phase: 'settled',
    run: runId(start),
    result: { exitCode: 130, startedAt: running.startedAt },
  })
  expect(list(fold(log.items)).map((entry) => entry.kind)).toEqual(['run', 'prompt'])
})

test('[VIEW7] a command of a repo names it, and one taken back before it started is shown as cancelled', async () => {
  const session = simulate()
  await session.happen({ type: 'submit', text: '/shell --repo back make', as: 'auto' })
  await session.happen({ type: 'withdraw', pick: 0 })
  const run = session.state.runs[0]!.seq
  await session.report({ ...unknownEnd, run, outcome: 'not_started' })
  const [entry] = list(viewOf(session.log))
  expect(entry).toMatchObject({ kind: 'run', repo: 'back', answer: { status: 'cancelled' } })
  expect(entry?.kind === 'run' && runLabel(entry)).toBe('cancelled')
})

test('[VIEW7] an approval stands on its call and tells who answered it', () => {
  const log = createLog()
  log.start()
  const call = log.call('rm -rf dist')
  const ask = log.ask(call, 'rm -rf dist')
  const shown = () => {
    const entry = findEntry(fold(log.items).entries, call)
    return entry?.kind === 'run' ? entry.ask : null
  }
  expect(shown()).toMatchObject({
    id: askId(ask),
    reasons: ['deletes files'],
    state: { phase: 'open' },
  })
  expect(statusOf(fold(log.items))).toMatchObject({ status: 'asking', asks: [{ call }] })
  log.answer(ask, 'deny')
  expect(shown()?.state).toEqual({
    phase: 'answered',
    outcome: 'deny',
    by: { kind: 'user' },
    scope: null,
    word: null,
  })
  expect(statusOf(fold(log.items)).asks).toEqual([])
})

test('[LOOP7] tags stay in a reply as the model wrote them', () => {
  const log = createLog()
  log.start()
  const step = log.step(log.turn(log.prompt('list')))
  log.reply(step, 'Look:\n<shell>ls</shell>')
  expect(findEntry(fold(log.items).entries, step)).toMatchObject({
    kind: 'reply',
    reply: { phase: 'settled', text: 'Look:\n<shell>ls</shell>', stop: 'done' },
  })
})

test('[VIEW10] queued input turns into a prompt where it was queued, or is shown as withdrawn', () => {
  const log = createLog()
  log.start()
  const turn = log.turn(log.prompt('first'))
  const kept = log.add({ type: 'input_queued', text: 'second' })
  const edited = log.add({ type: 'input_queued', text: 'thrid' })
  const third = log.add({ type: 'input_queued', text: 'third', replaces: edited })
  log.step(turn, [kept])
  const states = [kept, edited, third].map((seq) => findEntry(fold(log.items).entries, seq))
  expect(states).toMatchObject([{ state: 'sent' }, { state: 'withdrawn' }, { state: 'queued' }])
})

test('[VIEW2] a long live output keeps its tail within bounds', () => {
  const log = createLog()
  log.start()
  const call = log.call('yes')
  log.runStart(call, 'yes')
  const piece = 'y\n'.repeat(5_000)
  for (let offset = 0; offset < 1_000_000; offset += piece.length)
    log.delta({ type: 'tool_update', request: call, output: { offset, text: piece } })
  const entry = findEntry(fold(log.items).entries, call)
  const live = entry?.kind === 'run' && entry.state.phase === 'running' ? entry.state.live : null
  expect(live && live.from + live.text.length).toBe(1_000_000)
  expect(live?.text.length).toBeLessThanOrEqual(200_000)
})

test('[VIEW12] the model drives its own run in the terminal, a person everything else', () => {
  const log = createLog()
  log.start()
  const step = log.step(log.turn(log.prompt('go')))
  log.reply(step, '<shell>ls</shell>')
  const call = log.call('ls', step)
  expect(statusOf(fold(log.items)).driver).toBe('person')
  const start = log.add({
    type: 'run_start',
    run: runId(99),
    request: call,
    command: 'ls',
    source: 'model',
    lane: 'terminal',
    private: false,
    generation: 1,
    timeoutMs: 0,
    cwd: null,
  })
  expect(statusOf(fold(log.items)).driver).toBe('model')
  log.runEnd(start)
  expect(statusOf(fold(log.items)).driver).toBe('person')
})

test('[WEB52] that the first shell is there says nothing, unless it is only half understood', () => {
  const shell = { type: 'shell_start', shell: 'bash', pid: 1, cwd: '/work' } as const
  const noticed = (generation: number, integration: 'full' | 'basic') => {
    const log = createLog()
    log.start()
    log.add({ ...shell, generation, integration })
    return list(fold(log.items)).map((entry) => entry.kind === 'notice' && entry.notice.type)
  }
  expect(noticed(1, 'full')).toEqual([])
  expect(noticed(1, 'basic')).toEqual(['shell_started'])
  expect(noticed(2, 'full')).toEqual(['shell_started'])
})

test('[WEB52] a question about what the model would type stands on that call', () => {
  const log = createLog()
  log.start()
  const call = log.call('Ada')
  log.add({
    type: 'elicitation_request',
    ask: askId(call + 1),
    kind: 'terminal_input',
    request: call,
    command: 'Ada',
    effective: 'Ada',
    reasons: [],
    cwd: null,
    generation: 1,
  })
  expect(list(fold(log.items))).toMatchObject([{ seq: call, ask: { kind: 'terminal_input' } }])
})
