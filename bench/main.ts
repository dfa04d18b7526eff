import { overhead } from './overhead.ts'
import { roundTrip } from './round-trip.ts'
import { startUp } from './start-up.ts'
import { type Row, table } from './stats.ts'
import { benchStore } from './store.ts'

/** Figures of one run on one machine: read the ratios. */
async function main(): Promise<void> {
  const stored = Object.entries(await benchStore()).map(([what, figure]): Row => ({
    what,
    figure: String(figure),
  }))
  const rows = [...(await roundTrip()), ...(await overhead()), ...(await startUp()), ...stored]
  console.log(`\n${table(rows)}\n`)
}

await main()
