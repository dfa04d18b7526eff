import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ShellWorld } from '../../test/support/shell-world.ts'
import type { Effect } from './effect.ts'

/** With seven properties more than ten thousand histories. */
const runs = Number(process.env['TANDEM_HISTORIES'] ?? 1_500)

/** Each number is a step: what happens, and how. */
const histories = fc.array(fc.nat(1_000_000), { minLength: 30, maxLength: 80 })

function play(history: readonly number[]): ShellWorld {
  const world = new ShellWorld()
  for (const choice of history) world.step(choice)
  world.rest()
  return world
}

function effectsOf<Type extends string>(world: ShellWorld, type: Type) {
  return world.trace.effects.flatMap(({ at, effect }) =>
    effect.type === type ? [{ at, effect: effect as typeof effect & { type: Type } }] : [],
  )
}

test('[FOLD8] random histories reach what the properties are about', () => {
  const seen = new Map<string, number>()
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  for (const history of fc.sample(histories, { numRuns: 500, seed: 12 })) {
    const world = play(history)
    for (const { effect } of world.trace.effects) {
      count(effect.type)
      if (effect.type === 'report') count(effect.report.type)
      if (effect.type === 'ended') count(effect.verdict.type)
      if (effect.type === 'ended' && 'isMoved' in effect.verdict && effect.verdict.isMoved)
        count('moved')
    }
  }
  const wanted =
    'inject type signal restart probe status watch unwatch timeout waits ended report acknowledge end-holder typed-started typed-ended typed-over shell-adopted shell-left shell-ended unstarted executed unexecuted with-shell lost moved'
  const missing = wanted.split(' ').filter((what) => (seen.get(what) ?? 0) < 3)
  expect(missing, JSON.stringify(Object.fromEntries(seen))).toEqual([])
})

describe('for any history of a shell and those who use it', () => {
  test('[FOLD1] every order is ended exactly once', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const world = play(history)
        const ended = effectsOf(world, 'ended').map(({ effect }) => effect.run.order.id)
        expect(ended.toSorted()).toEqual(world.trace.orders.map(({ id }) => id).toSorted())
      }),
      { numRuns: runs },
    )
  })

  test('[FOLD2] nothing is brought in or executed twice, and nothing that was told as not run is executed', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const world = play(history)
        const injected = effectsOf(world, 'inject').map(({ effect }) => effect.run.order.id)
        expect(new Set(injected).size).toBe(injected.length)
        const executed = world.trace.executed.flatMap(({ id }) => (id === null ? [] : [id]))
        expect(new Set(executed).size).toBe(executed.length)
        const unstarted = effectsOf(world, 'ended')
          .filter(({ effect }) => effect.verdict.type === 'unstarted' && effect.track === null)
          .map(({ effect }) => effect.run.order.id)
        expect(executed.filter((id) => unstarted.includes(id))).toEqual([])
      }),
      { numRuns: runs },
    )
  })

  test('[FOLD3] an end is told only of what began, with the code that it really had', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const world = play(history)
        for (const { effect } of effectsOf(world, 'ended')) {
          if (effect.verdict.type !== 'executed') continue
          const real = world.trace.executed.find(({ id }) => id === effect.run.order.id)
          expect(real).toBeDefined()
          if (effect.track?.to) expect(effect.track.code).toBe(real?.code)
        }
      }),
      { numRuns: runs },
    )
  })

  test('[FOLD4] a model’s command goes in only at the stamp it was allowed for', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const world = play(history)
        for (const { order, stamp } of world.trace.injected)
          if (order.stamp !== null) expect(order.stamp).toBe(stamp)
      }),
      { numRuns: runs },
    )
  })

  test('[FOLD5] a person’s keys reach the terminal unless the model drives; Ctrl+C always does', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const world = play(history)
        for (const { keys, driver, typed } of world.trace.keys)
          expect(typed).toBe(keys === '\x03' || driver === 'person')
      }),
      { numRuns: runs },
    )
  })

  test('[FOLD6] what a person types is told as it starts and as it ends, each once; the start again after a run that gave way to it', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const places = new Set<number>()
        let last: Effect | null = null
        for (const { effect } of play(history).trace.effects) {
          const report = effect.type === 'report' ? effect.report : null
          if (report?.type === 'typed-started') {
            if (places.has(report.ptyFrom))
              expect(last).toMatchObject({ type: 'ended', verdict: { type: 'unstarted' } })
            places.add(report.ptyFrom)
          }
          if (report?.type === 'typed-ended') expect(places).toContain(report.ptyFrom)
          last = effect
        }
      }),
      { numRuns: runs },
    )
  })

  test('[FOLD6] the end of the shell is told once, after all that ran in it', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const world = play(history)
        const order = world.trace.effects.map(({ effect }) =>
          effect.type === 'report' ? effect.report.type : effect.type,
        )
        expect(order.filter((type) => type === 'shell-ended')).toHaveLength(1)
        expect(order.indexOf('shell-ended')).toBeGreaterThan(order.lastIndexOf('inject'))
        const late = world.trace.effects.slice(order.indexOf('shell-ended'))
        expect(late.filter(({ effect }) => effect.type === 'ended' && effect.track)).toEqual([])
      }),
      { numRuns: runs },
    )
  })
})
