import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Event } from '../../src/protocol/events/event.ts'
import type { RunRequest } from '../../src/protocol/events/run.ts'
import type { EventStore } from '../../src/server/store/store.ts'
import { oneShot, runId } from '../teams/runs.ts'
import { log, renamed, said, start, textOf, timeOf } from '../store/events.ts'

const one = 'session-1'
const two = 'session-2'
const all = { limit: 1_000 }

/** What every event store promises. `open` gives an empty one. */
export function describeEventStore(name: string, open: () => EventStore): void {
  describe(`event store: ${name}`, () => {
    let store: EventStore
    beforeEach(() => {
      store = open()
    })
    afterEach(() => store.close())

    const seqs = async (range: { after?: number; before?: number; limit: number }) =>
      (await store.read(one, range)).map((event) => event.seq)

    test('[STORE1] what was appended is read back whole and in order', async () => {
      const events = log(5)
      expect(await store.append(one, 0, { events: events.slice(0, 2) })).toEqual({
        outcome: 'stored',
      })
      expect(await store.append(one, 2, { events: events.slice(2) })).toEqual({ outcome: 'stored' })
      expect(await store.read(one, all)).toEqual(events)
      expect(await store.read(two, all)).toEqual([])
    })

    test('[STORE1] a range takes the first events after a place, or the last before one', async () => {
      await store.append(one, 0, { events: log(10) })
      expect(await seqs({ limit: 3 })).toEqual([1, 2, 3])
      expect(await seqs({ after: 0, limit: 2 })).toEqual([1, 2])
      expect(await seqs({ after: 7, limit: 100 })).toEqual([8, 9, 10])
      expect(await seqs({ after: 10, limit: 100 })).toEqual([])
      expect(await seqs({ after: 99, limit: 100 })).toEqual([])
      expect(await seqs({ before: 8, limit: 3 })).toEqual([5, 6, 7])
      expect(await seqs({ before: 3, limit: 100 })).toEqual([1, 2])
      expect(await seqs({ before: 1, limit: 100 })).toEqual([])
      expect(await seqs({ before: 99, limit: 2 })).toEqual([9, 10])
      expect(await seqs({ after: 2, before: 9, limit: 3 })).toEqual([3, 4, 5])
      expect(await seqs({ after: 2, before: 5, limit: 100 })).toEqual([3, 4])
      expect(await seqs({ after: 5, before: 3, limit: 100 })).toEqual([])
      expect(await seqs({ limit: 0 })).toEqual([])
      await expect(seqs({ limit: -1 })).rejects.toThrow('not a limit')
      await expect(store.list({ limit: -1 })).rejects.toThrow('not a limit')
    })

    test('[STORE3] an append to another head than the expected one stores nothing', async () => {
      await store.append(one, 0, { events: log(3) })
      const late = { events: [said(2)], key: 'late', snapshot: state(2), clearDraft: true }
      await store.saveDraft(one, { step: 3, text: 'so far' })
      expect(await store.append(one, 1, late)).toEqual({ outcome: 'conflict', head: 3 })
      expect(await store.append(one, 5, { events: [said(6)] })).toEqual({
        outcome: 'conflict',
        head: 3,
      })
      expect(await store.append(two, 2, { events: [said(3)] })).toEqual({
        outcome: 'conflict',
        head: 0,
      })
      expect(await store.read(one, all)).toEqual(log(3))
      expect(await store.findKey(one, 'late')).toBeNull()
      expect(await store.snapshot(one)).toBeNull()
      expect(await store.draft(one)).toEqual({ step: 3, text: 'so far' })
      expect(await store.summary(two)).toBeNull()
    })

    test('[REST1] a run is found by its id in whatever session, with its end once it has one', async () => {
      const [call, begun, end, answer] = oneShot({ seq: 3, n: 7 })
      await store.append(one, 0, { events: [...log(2), call!, begun!] })
      await store.append(two, 0, { events: [start(), ...oneShot({ seq: 2, n: 8 })] })
      expect(await store.findRun(runId(7))).toEqual({ session: one, start: begun, end: null })
      await store.append(one, 4, { events: [end!, answer!] })
      expect(await store.findRun(runId(7))).toEqual({ session: one, start: begun, end })
      expect(await store.findRun(runId(8))).toMatchObject({ session: two, start: { seq: 3 } })
      expect(await store.findRun(runId(9))).toBeNull()
      await store.remove(one)
      expect(await store.findRun(runId(7))).toBeNull()
    })

    test('[STORE4] a repeated key stores nothing and says where its events ended, however stale its head', async () => {
      await store.append(one, 0, { events: log(2), key: 'a' })
      await store.append(one, 2, { events: [said(3), said(4)], key: 'b' })
      const again = { events: [said(3), said(4)], key: 'b' }
      expect(await store.append(one, 2, again)).toEqual({ outcome: 'repeated', head: 4 })
      const later = { events: [said(5)], key: 'a' }
      expect(await store.append(one, 4, later)).toEqual({ outcome: 'repeated', head: 2 })
      expect(await store.read(one, all)).toEqual(log(4))
      expect(await store.findKey(one, 'a')).toMatchObject({ head: 2 })
      expect(await store.findKey(one, 'b')).toMatchObject({ head: 4 })
      expect(await store.findKey(one, 'c')).toBeNull()
    })

    test('[STORE4] a key tells where its events began and ended, and what it was used for', async () => {
      await store.append(one, 0, { events: log(2), key: 'a', body: 'first' })
      await store.append(one, 2, { events: [said(3), said(4)], key: 'b' })
      expect(await store.findKey(one, 'a')).toEqual({ first: 1, head: 2, body: 'first' })
      expect(await store.findKey(one, 'b')).toEqual({ first: 3, head: 4, body: null })
    })

    test('[STORE4] a key belongs to its session', async () => {
      await store.append(one, 0, { events: log(1), key: 'a' })
      expect(await store.findKey(two, 'a')).toBeNull()
      expect(await store.append(two, 0, { events: log(1), key: 'a' })).toEqual({
        outcome: 'stored',
      })
    })

    test('[STORE4] a forgotten key can be used again, a younger one stays', async () => {
      await store.append(one, 0, { events: log(1), key: 'old' })
      await store.append(one, 1, { events: [said(2)], key: 'young' })
      await store.forgetKeys(timeOf(2))
      expect(await store.findKey(one, 'old')).toBeNull()
      expect(await store.findKey(one, 'young')).toMatchObject({ head: 2 })
      expect(await store.append(one, 2, { events: [said(3)], key: 'old' })).toEqual({
        outcome: 'stored',
      })
    })

    test('[STORE3] a batch that only a bug can send is rejected and leaves nothing', async () => {
      const bad: [number, readonly Event[]][] = [
        [0, []],
        [0, [said(1)]],
        [0, [start(), said(3)]],
        [0, [start(), { ...start(), seq: 2 }]],
        [0, [start({ team: 'Not A Team' })]],
        [1, [said(1)]],
      ]
      for (const [head, events] of bad) {
        await expect(store.append(one, head, { events }), JSON.stringify(events)).rejects.toThrow()
      }
      await expect(store.append(one, 0, { events: log(1), snapshot: state(2) })).rejects.toThrow(
        'ahead of the log',
      )
      expect(await store.summary(one)).toBeNull()
      expect(await store.read(one, all)).toEqual([])
    })

    test('[MOVE12] an append that begins another session stores both of them, or none', async () => {
      await store.append(one, 0, { events: log(2), live: true })
      const begins = { session: two, events: log(3), live: true }
      expect(await store.append(one, 1, { events: [said(2)], begins })).toMatchObject({
        outcome: 'conflict',
      })
      const bad = { ...begins, events: [said(1)] }
      await expect(store.append(one, 2, { events: [said(3)], begins: bad })).rejects.toThrow()
      expect([await store.summary(two), await store.read(two, all)]).toEqual([null, []])
      expect(await store.append(one, 2, { events: [said(3)], live: false, begins })).toEqual({
        outcome: 'stored',
      })
      expect([await store.read(one, all), await store.read(two, all)]).toEqual([log(3), log(3)])
      expect((await store.list({ limit: 10, live: true })).map(({ id }) => id)).toEqual([two])
      await expect(store.append(one, 3, { events: [said(4)], begins })).rejects.toThrow()
      expect(await store.read(one, all)).toEqual(log(3))
    })

    test('[STORE8] the summary follows the log: title, last time and head', async () => {
      await store.append(one, 0, { events: [start({ title: 'first' }), said(2)] })
      const summary = {
        id: one,
        team: 'red',
        workspace: '/home/ann/shop',
        title: 'first',
        createdAt: timeOf(1),
        updatedAt: timeOf(2),
        head: 2,
        preview: 'line 2',
        live: false,
      }
      expect(await store.summary(one)).toEqual(summary)
      await store.append(one, 2, { events: [renamed(3, 'second'), said(4)], live: true })
      const after = { ...summary, title: 'second', updatedAt: timeOf(4), head: 4, live: true }
      expect(await store.summary(one)).toEqual(after)
      expect(await store.list({ limit: 10 })).toEqual([after])
      expect(await store.list({ live: true, limit: 10 })).toEqual([after])
      await store.append(one, 4, { events: [said(5)] })
      expect(await store.list({ live: true, limit: 10 })).toEqual([])
      expect(await store.summary(two)).toBeNull()
    })

    test('[STORE8] the list has the last used session first and can be narrowed', async () => {
      const at = (seconds: number) => ({ at: timeOf(seconds) })
      await store.append('session-a', 0, { events: [start({ ...at(10) })] })
      await store.append('session-b', 0, { events: [start({ ...at(30), team: 'blue' })] })
      await store.append('session-c', 0, { events: [start({ ...at(20), workspace: '/srv' })] })
      await store.append('session-d', 0, { events: [start({ ...at(20), team: 'blue' })] })
      const ids = async (filter: { team?: string; workspace?: string; limit: number }) =>
        (await store.list(filter)).map((summary) => summary.id.slice(-1)).join('')
      expect(await ids({ limit: 10 })).toBe('bdca')
      expect(await ids({ limit: 2 })).toBe('bd')
      expect(await ids({ team: 'blue', limit: 10 })).toBe('bd')
      expect(await ids({ workspace: '/home/ann/shop', limit: 10 })).toBe('bda')
      expect(await ids({ team: 'red', workspace: '/srv', limit: 10 })).toBe('c')
      expect(await ids({ team: 'green', limit: 10 })).toBe('')
      expect(await ids({ workspace: '', limit: 10 })).toBe('')
      await store.append('session-a', 1, { events: [{ ...said(2), at: timeOf(40) }] })
      expect(await ids({ limit: 10 })).toBe('abdc')
    })

    test('[STORE8] a snapshot replaces the one before it', async () => {
      expect(await store.snapshot(one)).toBeNull()
      await store.append(one, 0, { events: log(1), snapshot: state(1) })
      await store.append(one, 1, { events: [said(2)] })
      expect(await store.snapshot(one)).toEqual(state(1))
      await store.append(one, 2, { events: [said(3)], snapshot: { ...state(3), foldVersion: 8 } })
      expect(await store.snapshot(one)).toEqual({ ...state(3), foldVersion: 8 })
    })

    test('[STORE8] a draft is replaced in place and goes with the append that clears it', async () => {
      await expect(store.saveDraft(one, { step: 1, text: 'x' })).rejects.toThrow('does not exist')
      await store.append(one, 0, { events: log(1) })
      expect(await store.draft(one)).toBeNull()
      await store.saveDraft(one, { step: 1, text: 'Hel' })
      await store.saveDraft(one, { step: 1, text: 'Hello' })
      await store.append(one, 1, { events: [said(2)] })
      expect(await store.draft(one)).toEqual({ step: 1, text: 'Hello' })
      await store.append(one, 2, { events: [said(3)], clearDraft: true })
      expect(await store.draft(one)).toBeNull()
    })

    test('[STORE12] removing a session removes all of it and nothing else', async () => {
      for (const session of [one, two]) {
        await store.append(session, 0, { events: log(3), key: 'k', snapshot: state(3) })
        await store.saveDraft(session, { step: 3, text: 'so far' })
      }
      await store.remove(one)
      await store.remove(one)
      const what = async (session: string) => ({
        events: (await store.read(session, all)).length,
        key: await store.findKey(session, 'k'),
        summary: (await store.summary(session))?.head,
        snapshot: await store.snapshot(session),
        draft: await store.draft(session),
      })
      expect(await what(one)).toEqual({
        events: 0,
        key: null,
        summary: undefined,
        snapshot: null,
        draft: null,
      })
      expect(await what(two)).toEqual({
        events: 3,
        key: { first: 1, head: 3, body: null },
        summary: 3,
        snapshot: state(3),
        draft: { step: 3, text: 'so far' },
      })
      expect(await store.append(one, 0, { events: log(1), key: 'k' })).toEqual({
        outcome: 'stored',
      })
    })

    test('[STORE1] any text comes back as it went in: event, draft, key, title and workspace', async () => {
      const hard = [
        '\0',
        'a\0b',
        '\ud800',
        'x\udc00y',
        '\u2028\u2029',
        '\r\n\n\r',
        '👩‍🚀',
        '\ufeff',
        '"\\',
      ]
      const text = fc.oneof(fc.constantFrom(...hard), fc.string(), anyUnits)
      let count = 0
      await fc.assert(
        fc.asyncProperty(text, async (value) => {
          const session = `session-text-${count++}`
          const workspace = `/${value}`
          const title = `<${value}>`.slice(0, 200)
          const key = `k${value}`
          const events = [start({ workspace, title }), said(2, value)]
          await store.append(session, 0, { events, key })
          await store.saveDraft(session, { step: 2, text: value })
          expect(textOf((await store.read(session, all))[1])).toBe(value)
          expect((await store.draft(session))?.text).toBe(value)
          expect(await store.summary(session)).toMatchObject({ workspace, title })
          expect(await store.findKey(session, key)).toMatchObject({ head: 2 })
          expect(await store.findKey(session, `${key}\0`)).toBeNull()
          const found = await store.list({ workspace, limit: 10_000 })
          expect(found.map((summary) => summary.id)).toContain(session)
        }),
      )
    })

    test('[STORE1] an event of a megabyte is stored like any other', async () => {
      const text = '0123456789é€😀\n'.repeat(70_000)
      await store.append(one, 0, { events: [start(), said(2, text), said(3)] })
      const events = await store.read(one, all)
      expect(textOf(events[1]) === text).toBe(true)
      expect(textOf(events[2])).toBe('line 3')
    })

    test('[STORE1] what a caller does to its objects later does not reach the log', async () => {
      const mine = [...structuredClone(log(2))]
      await store.append(one, 0, { events: mine })
      mine[1]!.at = 0
      const theirs = [...(await store.read(one, all))]
      theirs[0]!.at = 0
      expect(await store.read(one, all)).toEqual(log(2))
    })

    test('[HIST1] what people of a team typed is read from its logs, newest first and bounded', async () => {
      const events = [start(), said(2), queued(3, 'queued'), bang(4, 'ls -l'), slash(5, '/model x')]
      await store.append(one, 0, { events: [...events, typed(6, 'make')] })
      const later = { ...said(2, 'of another session'), at: timeOf(9) }
      await store.append(two, 0, { events: [start(), later] })
      await store.append('session-3', 0, { events: [start({ team: 'blue' }), said(2, 'blue')] })
      const texts = async (limit: number) =>
        (await store.inputs('red', limit)).map(({ kind, text }) => `${kind}: ${text}`)
      const newest = ['chat: of another session', 'shell: make', 'chat: /model x', 'shell: ls -l']
      expect(await texts(100)).toEqual([...newest, 'chat: queued', 'chat: line 2'])
      expect(await texts(4)).toEqual(newest)
      expect(await store.inputs('green', 10)).toEqual([])
      expect((await store.inputs('blue', 10))[0]).toEqual({
        session: 'session-3',
        seq: 2,
        at: timeOf(2),
        kind: 'chat',
        text: 'blue',
      })
      await store.remove(two)
      expect((await texts(100))[0]).toBe('shell: make')
      await expect(store.inputs('red', -1)).rejects.toThrow('not a limit')
    })

    test('[HIST1] what is private, a secret, written by us or asked by a program is not among them', async () => {
      const secret = 'mysql --password hunter2'
      await store.append(one, 0, {
        events: [
          start(),
          bang(2, 'private', { private: true }),
          said(3, secret),
          bang(4, secret),
          isPrivate(5, true),
          said(6, 'in private'),
          typed(7, 'in private'),
          isPrivate(8, false),
          { ...said(9, 'facts'), synthetic: true } as Event,
          { ...bang(10, 'by the model'), meta: { isClientInitiated: false } } as Event,
          bang(11, 'by a program', { source: 'api' }),
          slash(12, '/approve'),
          { ...slash(13, '@a.ts'), read: aFile },
          { ...said(14, 'from a hook'), by: { kind: 'mcp' } },
          said(15, ' '),
          said(16, 'this alone'),
        ],
      })
      await store.append(two, 0, { events: [start({ approval: 'refuse' }), said(2, 'unattended')] })
      expect((await store.inputs('red', 100)).map(({ text }) => text)).toEqual(['this alone'])
    })
  })
}

/** Any sequence of UTF-16 units, so also halves of pairs. */
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units))

function state(seq: number) {
  return { seq, foldVersion: 7, state: JSON.stringify({ seq, text: 'a\0b\u2028😀' }) }
}

const by = { kind: 'user' } as const
const aFile = { path: 'a.ts', file: '/home/ann/shop/a.ts', kind: 'file', lines: null } as const

function queued(seq: number, text: string): Event {
  return { v: 1, seq, at: timeOf(seq), by, type: 'input_queued', text }
}

function isPrivate(seq: number, value: boolean): Event {
  return { v: 1, seq, at: timeOf(seq), by, type: 'session_update', private: value }
}

function slash(seq: number, args: string): Event & { type: 'tool_request' } {
  const name = /\w+/.exec(args)?.[0] ?? ''
  const meta = { isClientInitiated: true }
  const call = { type: 'tool_request', meta, name, args, index: 0, step: null } as const
  return { v: 1, seq, at: timeOf(seq), by, ...call }
}

function bang(seq: number, command: string, changes: Partial<RunRequest> = {}): Event {
  const run: RunRequest = {
    command,
    lane: 'terminal',
    source: 'bang',
    timeoutMs: 0,
    private: false,
    thenTurn: false,
    ...changes,
  }
  return { ...slash(seq, `!${command}`), name: 'terminal_execute', run }
}

function typed(seq: number, command: string): Event {
  return {
    v: 1,
    seq,
    at: timeOf(seq),
    by,
    type: 'run_start',
    run: `sh-00000000-0000-4000-8000-00000000000${seq}`,
    request: null,
    command,
    source: 'typed',
    lane: 'terminal',
    private: false,
    generation: 1,
    timeoutMs: 0,
    cwd: null,
  }
}
