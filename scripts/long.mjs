// `npm run long`: the tests of which CI runs a part, whole. Arguments go on to vitest.
import { spawnSync } from 'node:child_process'

const whole = {
  TANDEM_COMMANDS: '10000',
  TANDEM_KILLS: '200',
  TANDEM_SECRETS: '2000',
  TANDEM_PRIVATE: '500',
  TANDEM_PRIVATE_RUNS: '500',
  TANDEM_REAL_SESSIONS: '108',
  TANDEM_FILES: '10000',
}
const files = [
  'test/e2e/random-sessions.rest.test.ts',
  'test/terminal/generated.rest.test.ts',
  'test/terminal/private.rest.test.ts',
  'test/faults/kill.rest.test.ts',
  'test/faults/private.rest.test.ts',
  'test/faults/secrets.rest.test.ts',
  'test/hostile/files.rest.test.ts',
]

const { status } = spawnSync(
  process.execPath,
  ['scripts/test.mjs', '--project', 'rest', ...files, ...process.argv.slice(2)],
  { stdio: 'inherit', env: { ...process.env, ...whole } },
)
process.exit(status ?? 1)
