// `npm test` runs what protects a change, `npm run test:rest` the others, `npm run test:all` both.
// On Debian as root the programs that they use are installed first. Elsewhere the files that need a missing one
// are left out, and a last line names them and the command that gets them. Arguments go on to vitest.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { findProgram } from './test/find-program.mjs'
import { leftOutLine } from './test/left-out.mjs'
import { neededBy, testFiles } from './test/needs.mjs'
import { packages } from './test/packages.mjs'
import { installSdks } from './test/sdks.mjs'

const [first, ...others] = process.argv.slice(2)
const tiers = { '--rest': ['rest'], '--all': ['unit', 'system', 'rest'] }
const isTier = tiers[first] !== undefined
const passed = isTier || first === undefined ? others : [first, ...others]
const named = passed.filter((_, at) => passed[at - 1] === '--project')
const projects = named.length > 0 ? named : (tiers[first] ?? ['unit', 'system'])

function run(command, args, env = {}) {
  return spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1
}

/** Root of a container may often not mount: bit 21 of its capabilities. */
function isRoot() {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false
  const [, held] = /^CapEff:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return ((BigInt(`0x${held ?? 0}`) >> 21n) & 1n) === 1n
}

const missing = () => Object.keys(packages).filter((program) => findProgram(program) === null)
const packagesOf = (programs) => [...new Set(programs.map((each) => packages[each]))].join(' ')
const canInstall = findProgram('apt-get') !== null
const install = (programs) =>
  `apt-get update && apt-get install -y --no-install-recommends ${packagesOf(programs)}`
const toInstall = (programs) =>
  canInstall
    ? `sudo sh -c '${install(programs)}' && `
    : `get what Debian calls ${packagesOf(programs)}; then `

if (missing().length > 0 && canInstall && process.getuid?.() === 0) {
  console.log(`Installing ${packagesOf(missing())} for the tests`)
  run('sh', ['-c', install(missing())])
}
if (projects.includes('rest')) {
  try {
    installSdks()
  } catch (error) {
    // Its tests fail with the same sentence; the others need none of it.
    console.log(error.message)
  }
}
const left = neededBy(testFiles(projects), [...missing(), ...(isRoot() ? [] : ['root'])])
const status = run(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...(named.length > 0 ? [] : projects.flatMap((name) => ['--project', name])),
    ...passed,
  ],
  // Vitest's own `--exclude` does not reach projects; their configuration reads this.
  { TANDEM_TEST_LEFT_OUT: left.map(({ file }) => file).join(delimiter) },
)
if (left.length > 0) {
  const script = isTier ? `run test:${first.slice(2)}` : 'test'
  console.log(leftOutLine(left, { script, install: toInstall }))
}
process.exit(status)
