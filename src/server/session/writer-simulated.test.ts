import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evolve } from '../../log/evolve.ts'
import { initialState } from '../../log/state.ts'
import { due } from '../../session/due.ts'
import { happenings, simulate, type Simulation } from '../../../test/support/simulate.ts'

const numRuns = Number(process.env['TANDEM_PROPERTY_RUNS'] ?? 600)

/** Every due effect is at work, once; any other at work was told to stop. */
function checkEffects(simulation: Simulation): void {
  const wanted = due(simulation.state).map(({ key }) => key)
  const begun = simulation.underWay().map(({ work }) => work.key)
  expect(new Set(begun).size).toBe(begun.length)
  expect(wanted.filter((key) => !begun.includes(key))).toEqual([])
  for (const { work, isVanished } of simulation.underWay())
    if (!wanted.includes(work.key)) expect([work.key, isVanished()]).toEqual([work.key, true])
}

test('[LOG60] in a simulated session the writer, the store and the effects are the product’s own: what is due is under way, the rest was aborted, and the log is the state', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const simulation = simulate(list.length % 2 === 0 ? 'tags' : 'tools')
      checkEffects(simulation)
      for (const happening of list) {
        await simulation.happen(happening)
        checkEffects(simulation)
      }
      await simulation.settle()
      checkEffects(simulation)
      expect(simulation.log.reduce(evolve, initialState)).toEqual(simulation.state)
    }),
    { numRuns },
  ))
