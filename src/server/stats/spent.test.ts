import { expect, test } from 'vitest'
import { replyOf } from '../../../test/support/reply.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { Price, Usage } from '../../protocol/events/turn.ts'
import { noUsage } from '../../log/state.ts'
import { statsTable } from '../../cli/commands/stats.ts'
import { statsOf } from './stats.ts'
import { count, dayMs, emptyTally } from './tally.ts'

const base = { v: 1 as const, by: { kind: 'system' as const } }
const epoch = (model: string, price?: Price): Event => ({
  ...base,
  seq: 1,
  at: dayMs,
  type: 'epoch_start',
  model,
  adapter: 'x',
  dialect: 'tags',
  system: '',
  tools: [],
  renderVersion: 1,
  ...(price && { price }),
})
const reply = (name: string, usage: Usage, at: number, retried?: Usage): Event =>
  replyOf(usage, { name, at, retried })

test('[STAT3] tokens are counted a model, also of attempts that failed, and money where it is known', () => {
  const usage = { ...noUsage, input: 1_000_000, output: 100_000 }
  const tally = emptyTally()
  const price = { input: 2, output: 10 }
  const events = [
    epoch('a/one', price),
    reply('a/one', usage, dayMs, usage),
    reply('a/one', usage, 3 * dayMs),
    reply('a/one', noUsage, 3 * dayMs),
    epoch('b/two'),
    reply('b/two', usage, 3 * dayMs),
  ]
  for (const event of events) count(tally, event)
  const all = statsOf([tally], {}, 3 * dayMs)
  expect(all.models).toEqual([
    {
      model: 'a/one',
      replies: 2,
      usage: { ...noUsage, input: 3_000_000, output: 300_000 },
      usd: 9,
      unpriced: 0,
    },
    { model: 'b/two', replies: 1, usage, usd: null, unpriced: 1 },
  ])
  expect(statsOf([tally], { days: 1 }, 3 * dayMs).models).toMatchObject([
    { model: 'a/one', replies: 1, usd: 3 },
    { model: 'b/two', replies: 1 },
  ])
  const table = statsTable(all)
  expect(table).toMatch(/a\/one +2 {2}3M in · 300k out · \$9\.00\n/)
  expect(table).toMatch(/b\/two +1 {2}1M in · 100k out · no price known\n/)
})
