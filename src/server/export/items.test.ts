import { expect, test } from 'vitest'
import type { Event } from '../../protocol/events/event.ts'
import { itemsOf, statusOf } from './items.ts'

const base = (seq: number) => ({ v: 1 as const, seq, at: seq, by: { kind: 'user' as const } })
const meta = { isClientInitiated: true }
const run = { command: 'ls', lane: 'terminal', source: 'bang', timeoutMs: 0 } as const
const request = (seq: number): Event => ({
  ...base(seq),
  type: 'tool_request',
  meta,
  name: 'terminal_execute',
  args: 'ls',
  index: 0,
  step: null,
  run: { ...run, private: false, thenTurn: false },
})

test('[EXP7] what was queued and taken back was not said', () => {
  const log: Event[] = [
    { ...base(1), type: 'input_queued', text: 'frist' },
    { ...base(2), type: 'input_withdrawn', queued: 1 },
    { ...base(3), type: 'input_queued', text: 'first', replaces: 1 },
  ]
  expect(itemsOf(log)).toMatchObject([{ type: 'said', seq: 3, text: 'first' }])
})

test('[EXP7] a run that waits is running, one that never began after its answer is an error', () => {
  const answer: Event = {
    ...base(2),
    type: 'tool_response',
    meta,
    request: 1,
    status: 'denied',
    content: '',
    inContext: true,
  }
  const statuses = (log: readonly Event[]) =>
    itemsOf(log).map((item) => (item.type === 'ran' ? statusOf(item) : null))
  expect(statuses([request(1)])).toEqual(['running'])
  expect(statuses([request(1), answer])).toEqual(['error'])
})
