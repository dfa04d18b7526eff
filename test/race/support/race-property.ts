import fc from 'fast-check'
import { checkRace, noTally, type Tally } from './check-race.ts'
import { failedOnce } from './failed-once.ts'
import { raceSteps } from './race-steps.ts'
import { openRaceWorld } from './race-world.ts'

/** Plays so many histories; a failing one is told with its seed, and made as short as it can be. */
export async function playRaces(numRuns: number): Promise<Tally> {
  let total: Tally = noTally
  await fc.assert(
    fc.asyncProperty(raceSteps, async (steps) => {
      const world = await openRaceWorld()
      for (const step of steps) await world.step(step)
      await world.settle()
      total = added(total, checkRace(world.truth))
    }),
    { numRuns, examples: failedOnce.map((steps) => [steps]) },
  )
  return total
}

function added(one: Tally, other: Tally): Tally {
  return {
    allowed: one.allowed + other.allowed,
    approved: one.approved + other.approved,
    ruled: one.ruled + other.ruled,
    ofFolder: one.ofFolder + other.ofFolder,
    rest: one.rest + other.rest,
    moved: one.moved + other.moved,
    denied: one.denied + other.denied,
    adopted: one.adopted + other.adopted,
    voided: one.voided + other.voided,
    needless: one.needless + other.needless,
  }
}
