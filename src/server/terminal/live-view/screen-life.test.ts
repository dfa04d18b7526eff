import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hearScreen, isDrawn, type ScreenLife, type ScreenNews } from './screen-life.ts'

const mib = 1024 * 1024
const off: ScreenLife = { phase: 'off' }
const open: ScreenLife = { phase: 'open', openedAt: 0, answersFrom: 5 }
const piece = (offset: number, text: string) => ({ offset, bytes: Buffer.from(text) })
const fed = (offset: number, text: string, more: { lag?: number; end?: number } = {}) => ({
  type: 'fed' as const,
  piece: piece(offset, text),
  lag: 0,
  end: offset,
  isAlternate: true,
  now: 100,
  ...more,
})

function hearAll(life: ScreenLife, ...heard: readonly ScreenNews[]) {
  let now = life
  const effects: string[] = []
  for (const news of heard) {
    const step = hearScreen(now, news)
    now = step.life
    effects.push(
      ...step.effects.map((effect) => {
        if (effect.type === 'show')
          return `show ${effect.old.toString()}|${effect.fresh.toString()}`
        if (effect.type === 'take-answers') return effect.on ? 'take answers' : 'give answers back'
        return effect.type === 'wake' ? `wake in ${effect.ms}` : effect.type
      }),
    )
  }
  return { life: now, effects }
}

test('[LANE2] what comes while a screen is drawn is shown after it, old bytes apart from new ones', () => {
  const { life, effects } = hearAll(
    off,
    { type: 'wanted', now: 7 },
    fed(3, 'abc'),
    { type: 'answers-from', offset: 5 },
    fed(6, 'def'),
    { type: 'opened' },
    fed(9, 'g'),
  )
  expect(effects).toEqual(['stay', 'take answers', 'draw', 'show ab|c', 'show |def', 'show |g'])
  expect(life).toEqual({ phase: 'open', openedAt: 7, answersFrom: 5 })
})

test('[LANE2] a screen that nobody knows the answers of yet shows all as old', () => {
  const { effects } = hearAll({ phase: 'open', openedAt: 0, answersFrom: null }, fed(6, 'def'))
  expect(effects).toEqual(['show def|'])
})

test('[LANE2] a jump in the stream draws it anew, a dead emulator a second after it was opened', () => {
  expect(hearAll(open, fed(9, 'abc', { end: 6 }))).toEqual({
    life: { phase: 'opening', openedAt: 100, answersFrom: null, held: [] },
    effects: ['drop', 'take answers', 'draw'],
  })
  const lost = ['drop', 'give answers back', 'tell-alternate']
  expect(hearAll(open, { type: 'lost', now: 400 })).toEqual({
    life: { phase: 'lost' },
    effects: [...lost, 'wake in 600'],
  })
  expect(hearAll(open, { type: 'lost', now: 5_000 }).effects).toEqual([...lost, 'wake in 0'])
})

test('[LANE2] a flood is sat out until it is over, and its screen keeps what it was', () => {
  const asleep = hearAll(open, fed(9, 'abc', { lag: 9 * mib }), fed(12, 'x'), fed(20, 'y'))
  expect(asleep).toEqual({
    life: { phase: 'asleep', wasAlternate: true },
    effects: ['drop', 'give answers back', 'wake in 100', 'put-off', 'put-off'],
  })
  expect(hearAll(asleep.life, { type: 'wanted', now: 3 }).effects).toEqual([
    'stay',
    'take answers',
    'draw',
  ])
})

test('[LANE16] a screen that cannot be drawn leaves the answers to the holder', () => {
  const failed = hearAll(off, { type: 'wanted', now: 0 }, { type: 'failed' })
  expect(failed.life).toEqual(off)
  expect(failed.effects.at(-1)).toBe('give answers back')
})

const news = fc.oneof(
  fc.record({ type: fc.constant('wanted' as const), now: fc.nat() }),
  fc.record({ type: fc.constantFrom('opened' as const, 'failed' as const) }),
  fc.record({
    type: fc.constant('fed' as const),
    piece: fc.record({ offset: fc.nat({ max: 3 }), bytes: fc.constant(Buffer.from('x')) }),
    lag: fc.constantFrom(0, 0, 0, 9 * mib),
    end: fc.nat({ max: 3 }),
    isAlternate: fc.boolean(),
    now: fc.nat(),
  }),
  fc.record({ type: fc.constant('answers-from' as const), offset: fc.nat({ max: 9 }) }),
  fc.record({ type: fc.constant('lost' as const), now: fc.nat() }),
  fc.record({ type: fc.constantFrom('rest' as const, 'rest' as const, 'close' as const) }),
)

test('[LANE16] in any history the emulator answers exactly while its screen is drawn or open, a timer runs exactly while one is waited for, and no screen is left behind', () => {
  fc.assert(
    fc.property(fc.array(news, { maxLength: 40 }), (history) => {
      let life: ScreenLife = off
      let answers = false
      let timer = false
      let screens = 0
      for (const heard of history) {
        const step = hearScreen(life, heard)
        if (life.phase === 'closed' && heard.type !== 'close') expect(step.effects).toEqual([])
        if (life.phase === 'opening' && heard.type === 'opened') screens += 1
        for (const effect of step.effects) {
          if (effect.type === 'take-answers') answers = effect.on
          if (effect.type === 'wake') timer = true
          if (effect.type === 'stay') timer = false
          if (effect.type === 'drop') screens = 0
          if (effect.type === 'draw') expect(screens).toBe(0)
          if (effect.type === 'show') expect(screens).toBe(1)
          if (effect.type === 'put-off') expect(timer).toBe(true)
        }
        ;({ life } = step)
        if (life.phase !== 'closed') expect(answers).toBe(isDrawn(life))
        expect(timer).toBe(life.phase === 'asleep' || life.phase === 'lost')
        expect(screens).toBe(life.phase === 'open' ? 1 : 0)
      }
    }),
    { numRuns: 2_000 },
  )
})
