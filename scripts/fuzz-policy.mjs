// `npm run policy:fuzz -- 1000000 [seed]`: the policy against real shells, with so many generated programs.
import { spawnSync } from 'node:child_process'

const [count = '1000000', seed] = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  ['scripts/test.mjs', '--project', 'rest', 'test/policy/differential.rest.test.ts'],
  {
    stdio: 'inherit',
    env: { ...process.env, TANDEM_PROGRAMS: count, ...(seed && { TANDEM_SEED: seed }) },
  },
)
process.exit(status ?? 1)
