import { budgets } from './budgets/budgets.ts'
import { complete } from './complete.ts'
import { floods } from './floods/floods.ts'
import { overhead } from './overhead.ts'
import { roundTrip } from './round-trip.ts'
import { startUp } from './start-up.ts'
import { type Row, table } from './stats.ts'
import { stepOverhead } from './steps.ts'
import { stops } from './stops.ts'
import { benchStore } from './store.ts'
import { verdicts } from './policy/verdicts.ts'
import { web } from './web/web.ts'

const groups: Record<string, () => Promise<readonly Row[]>> = {
  roundTrip,
  floods,
  overhead,
  steps: stepOverhead,
  startUp,
  stops,
  complete,
  budgets,
  verdicts,
  web,
  async store() {
    const figures = Object.entries(await benchStore())
    return figures.map(([what, figure]) => ({ what, figure: String(figure) }))
  },
}

/** Figures of one run on one machine: read the ratios. All groups, or those that are named. */
async function main(names: readonly string[]): Promise<void> {
  const rows: Row[] = []
  for (const [name, measure] of Object.entries(groups))
    if (names.length === 0 || names.includes(name)) rows.push(...(await measure()))
  console.log(`\n${table(rows)}\n`)
}

await main(process.argv.slice(2))
