import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replyOf } from '../../test/support/reply.ts'
import { money, shortCount } from '../protocol/amounts.ts'
import type { Meter, Price, Usage } from '../protocol/events/turn.ts'
import { limits } from '../protocol/limits.ts'
import { costOf, countReply, newModel, spentIn, addUsage } from './meter.ts'
import { initialState, noUsage } from './state.ts'

const anyUsage: fc.Arbitrary<Usage> = fc
  .tuple(fc.nat(500_000), fc.nat(100_000), fc.nat(100), fc.nat(100))
  .map(([input, output, read, write]) => {
    const cacheRead = Math.floor((input * read) / 200)
    return { input, output, cacheRead, cacheWrite: Math.floor((input * write) / 200) }
  })

const price: Price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }

test('[MODEL5] the session’s tokens are the sum of all replies and of the attempts before them', () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(anyUsage, fc.option(anyUsage), fc.nat(2))), (replies) => {
      const { meter: empty } = initialState
      const meter = replies.reduce<Meter>(
        (so, [usage, retried, model]) =>
          countReply(so, replyOf(usage, { name: `m${model}`, ...(retried && { retried }) })),
        newModel(empty, { price, contextTokens: 1_000 }),
      )
      const sum = replies.reduce(
        (so, [usage, retried]) => addUsage(so, addUsage(usage, retried ?? noUsage)),
        noUsage,
      )
      const all = spentIn(meter)
      expect(all.usage).toEqual(sum)
      expect(all.unpriced).toBe(0)
      const flat = (sum.input - sum.cacheRead - sum.cacheWrite) * 3 + sum.output * 15
      const whole = (flat + sum.cacheRead * 0.3 + sum.cacheWrite * 3.75) / 1e6
      if (all.replies > 0) expect(all.usd).toBeCloseTo(whole, 6)
      const last = replies.findLast(([{ input }]) => input > 0)?.[0]
      expect(meter.context).toBe(last ? last.input + last.output : null)
    }),
  ))

test('[MODEL5] money is told only where a price is known', () => {
  const usage = { input: 1_000, output: 100, cacheRead: 600, cacheWrite: 200 }
  expect(costOf({ usage }, null)).toBeNull()
  expect(costOf({ usage: noUsage }, price)).toBeNull()
  expect(costOf({ usage }, { input: 3, output: 15 })).toBeCloseTo(0.0045, 9)
  expect(costOf({ usage }, { ...price, upTo: 999 })).toBeNull()
  expect(costOf({ usage }, price)).toBeCloseTo(0.00303, 9)
  expect(costOf({ usage: noUsage, retried: usage }, price)).toBeCloseTo(0.00303, 9)
  const priced = countReply({ ...initialState.meter, price }, replyOf(usage))
  const mixed = countReply(newModel(priced, {}), replyOf(usage))
  expect(mixed).toMatchObject({ context: 1_100, size: null, price: null })
  expect(spentIn(mixed)).toMatchObject({ replies: 2, unpriced: 1, usd: priced.spent[0]?.usd })
})

test('[MODEL5] of a session with ever new models a bounded number is counted apart, and none is lost', () => {
  const usage = { ...noUsage, input: 1 }
  let { meter } = initialState
  for (let n = 0; n < 3 * limits.meteredModels; n++)
    meter = countReply(meter, replyOf(usage, { name: `m${n}` }))
  expect(meter.spent).toHaveLength(limits.meteredModels)
  expect(spentIn(meter).replies).toBe(3 * limits.meteredModels)
})

test('[VIEW22] tokens and money are written alike everywhere', () => {
  expect(
    [0, 812, 1_000, 1_249, 9_960, 41_234, 200_000, 999_499, 999_500, 1_047_576].map(shortCount),
  ).toEqual(['0', '812', '1k', '1.2k', '10k', '41k', '200k', '999k', '1M', '1M'])
  expect([0, 0.000_1, 0.004, 0.123_4, 12].map((usd) => money(usd))).toEqual([
    '$0.00',
    '< $0.001',
    '$0.004',
    '$0.12',
    '$12.00',
  ])
  expect(money(0.5, { isPartial: true })).toBe('≥ $0.50')
})
