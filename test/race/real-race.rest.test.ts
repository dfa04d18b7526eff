// needs: zsh
import { expect, onTestFinished, test } from 'vitest'
import { patience } from '../support/patience.ts'
import { seed } from '../support/seed.ts'
import { startWorld } from '../support/world.ts'
import { numbersFrom, openRealRace } from './support/real-race.ts'

/** For each of the two shells; more on demand, and one race again by its seed. */
const races = Number(process.env['TANDEM_REAL_RACES'] ?? 110)

test.each(['bash', 'zsh'])(
  `[APP60] in a real %s, whatever people type, answer, restart and adopt meanwhile, a command of the model sees the state its question showed (TANDEM_SEED=${seed})`,
  { timeout: races * 3_000 * patience },
  async (shell) => {
    const world = await startWorld({ config: { approval: 'guarded', shell } })
    onTestFinished(world.close)
    const real = await openRealRace(world, numbersFrom(seed))
    for (let count = 0; count < races; count += 1) await real.race()
    await real.close()
    process.stderr.write(`${shell}, seed ${seed}: ${JSON.stringify(real.tally)}\n`)
    expect(real.tally.ran).toBeGreaterThan(races / 4)
  },
)
