// takes: 120 s
import { expect, test } from 'vitest'
import { patience } from '../support/patience.ts'
import { playRaces } from './support/race-property.ts'

/** As many as are asked for: `TANDEM_RACE_RUNS=100000 npx vitest run --project rest test/race`. */
const numRuns = Number(process.env['TANDEM_RACE_RUNS'] ?? 10_000)

/** Without all of these nothing is shown about them. */
const met = [
  'allowed',
  'approved',
  'ruled',
  'ofFolder',
  'rest',
  'moved',
  'denied',
  'adopted',
  'voided',
] as const

test(
  '[APP60] 10,000 interleavings of keys, marks, judgements, answers, modes, crashes and adoptions: none runs in another state, twice or denied',
  { timeout: numRuns * 60 * patience },
  async () => {
    const tally = await playRaces(numRuns)
    process.stderr.write(`${numRuns} races: ${JSON.stringify(tally)}\n`)
    for (const name of met) expect(tally[name], name).toBeGreaterThan(numRuns / 100)
    // A yes that came while something of a person's was still running has to be given again.
    expect(tally.needless, 'needless').toBeLessThan((tally.voided * 2) / 3)
    expect(tally.needless, 'needless').toBeLessThan(tally.approved / 3)
  },
)
