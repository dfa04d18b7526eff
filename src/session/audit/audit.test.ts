import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../../protocol/events/event.ts'
import { happenings, simulate } from '../../../test/support/simulate.ts'
import { createAudit } from './audit.ts'

const session = '01a1e163-1177-7d0d-84a3-7c8dfcd62fba'

function auditOf(log: readonly Event[]) {
  const audit = createAudit(session)
  const rows = log.flatMap((event) => audit.take(event))
  return { rows: [...rows, ...audit.running()], open: audit.open() }
}

test('[AUD1] ∀ of every command that was proposed one end is told; every run, question and answer has one row', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const simulation = simulate(list.length % 2 === 0 ? 'tags' : 'tools')
      for (const happening of list) await simulation.happen(happening)
      await simulation.settle()
      const { log } = simulation
      const { rows, open } = auditOf(log)
      const count = (type: Event['type']) => log.filter((event) => event.type === type).length
      const kind = (...kinds: readonly string[]) =>
        rows.filter((row) => kinds.includes(row.kind)).length
      expect(kind('asked')).toBe(count('elicitation_request'))
      expect(kind('answered')).toBe(count('elicitation_response'))
      const started = log.filter(
        (event) => event.type === 'run_end' && event.outcome !== 'not_started',
      )
      const acts = rows.filter((row) => row.kind === 'ran' && row.outcome === null)
      expect(kind('ran')).toBe(started.length + acts.length)
      // A server takes back by itself what was allowed to a dead one.
      const undecided = rows.filter((row) => row.decidedBy === null && row.kind !== 'revoked')
      const own = undecided.filter(({ who }) => who !== 'model')
      const ends = rows.filter(({ kind, who }) => who === 'model' && isEnd(kind)).length
      expect(ends).toBe(kind('proposed'))
      // A run without a decision is a person's own.
      expect(own.every(({ kind, source }) => isEnd(kind) && source !== 'model')).toBe(true)
      for (const row of rows.filter(({ kind, source }) => kind === 'ran' && source === 'model'))
        expect([row.seq, row.decision]).toEqual([row.seq, 'allow'])
      expect(open).toBe(0)
    }),
    { numRuns: 300 },
  ))

const isEnd = (kind: string) => kind === 'ran' || kind === 'denied' || kind === 'skipped'

test('[AUD1] a log of a hundred thousand events is read with no more memory than a short one', () => {
  const audit = createAudit(session)
  const by = { kind: 'user', client: 'page' } as const
  let most = 0
  let rows = 0
  for (let n = 0; n < 25_000; n++) {
    const base = { v: 1, at: n, by } as const
    const seq = 4 * n + 1
    const meta = { isClientInitiated: true }
    const command = `echo ${n}`
    const run = { command, lane: 'terminal', source: 'bang', timeoutMs: 0 } as const
    const events: readonly Event[] = [
      {
        ...base,
        type: 'tool_request',
        seq,
        meta,
        name: 'shell',
        args: command,
        index: 0,
        step: null,
        run: { ...run, private: false, thenTurn: false },
      },
      {
        ...base,
        ...run,
        type: 'run_start',
        seq: seq + 1,
        run: 'sh-00000000-0000-4000-8000-000000000000',
        request: seq,
        private: false,
        generation: 1,
        cwd: null,
      },
      {
        ...base,
        type: 'run_end',
        seq: seq + 2,
        run: 'sh-00000000-0000-4000-8000-000000000000',
        start: seq + 1,
        outcome: 'ended',
        exitCode: 0,
        signal: null,
        durationMs: 1,
        bytes: 0,
        omitted: 0,
        cwdAfter: null,
        ptyFrom: null,
        ptyTo: null,
        content: null,
      },
      {
        ...base,
        type: 'tool_response',
        seq: seq + 3,
        meta,
        request: seq,
        status: 'done',
        content: '',
        inContext: true,
      },
    ]
    for (const event of events) {
      rows += audit.take(event).length
      most = Math.max(most, audit.open())
    }
  }
  expect(rows).toBe(25_000)
  expect(most).toBeLessThanOrEqual(2)
})
