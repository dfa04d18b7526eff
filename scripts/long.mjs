// `npm run long`: the tests of which CI runs a part, whole. Arguments go on to vitest.
import { spawnSync } from 'node:child_process'

const whole = {
  TANDEM_COMMANDS: '10000',
  TANDEM_KILLS: '200',
  TANDEM_SECRETS: '2000',
  TANDEM_PRIVATE: '500',
  TANDEM_PRIVATE_RUNS: '500',
}
const files = [
  'test/terminal/generated.test.ts',
  'test/terminal/private.test.ts',
  'test/faults/kill.test.ts',
  'test/faults/private.test.ts',
  'test/faults/secrets.test.ts',
]

const { status } = spawnSync(
  process.execPath,
  ['scripts/test.mjs', '--project', 'system', ...files, ...process.argv.slice(2)],
  { stdio: 'inherit', env: { ...process.env, ...whole } },
)
process.exit(status ?? 1)
