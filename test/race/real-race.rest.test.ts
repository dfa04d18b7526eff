// needs: zsh
// takes: 104 s
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { patience } from '../support/patience.ts'
import { seed } from '../support/seed.ts'
import { startWorld } from '../support/world.ts'
import { numbersFrom, openRealRace } from './support/real-race.ts'

/** For each of the two shells; more on demand, and one race again by its seed. */
const races = Number(process.env['TANDEM_REAL_RACES'] ?? 110)

/** An `npm` that tells the state of the shell it was started from. */
function standIn() {
  const bin = mkdtempSync(join(tmpdir(), 'tandem-race-'))
  onTestFinished(() => rmSync(bin, { recursive: true }))
  const installed = join(bin, 'installed')
  const script = `#!/bin/sh\nprintf '%s|%s|%s|%s\\n' "$2" "$PWD" "$X" "$T" >> '${installed}'\n`
  writeFileSync(join(bin, 'npm'), script, { mode: 0o755 })
  return { env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` }, installed }
}

test.each(['bash', 'zsh'])(
  `[APP60] in a real %s, whatever people type, answer, restart and adopt meanwhile, a command of the model sees the state its question showed (TANDEM_SEED=${seed})`,
  { timeout: races * 3_000 * patience },
  async (shell) => {
    const { env, installed } = standIn()
    const world = await startWorld({ config: { approval: 'guarded', shell }, env })
    onTestFinished(world.close)
    const real = await openRealRace(world, numbersFrom(seed), installed)
    for (let count = 0; count < races; count += 1) await real.race()
    await real.close()
    process.stderr.write(`${shell}, seed ${seed}: ${JSON.stringify(real.tally)}\n`)
    const { tally } = real
    expect(tally.ran).toBeGreaterThan(races / 4)
    // Fewer races may miss one of these by chance; adoptions, which often come too late, may be missing in any.
    if (races >= 100)
      for (const name of ['unasked', 'ruled', 'rest', 'killed'] as const)
        expect(tally[name], name).toBeGreaterThan(0)
    expect(tally.needless, 'needless').toBeLessThan(Math.max(10, races / 4))
  },
)
