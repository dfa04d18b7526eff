// Packs the product, installs the tarball in an empty folder without install scripts, and uses it.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = new URL('..', import.meta.url).pathname
const temp = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-smoke-')))
const app = join(temp, 'app')
mkdirSync(app)
const env = { ...process.env, TANDEM_HOME: join(temp, 'data'), SHELL: '/bin/bash' }
for (const name of Object.keys(env))
  if (/^(TANDEM_(?!HOME)|.*_API_KEY$)/.test(name)) delete env[name]

function run(command, args, cwd = app) {
  return execFileSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function tandem(...args) {
  return run(join(app, 'node_modules/.bin/tandem'), args)
}

function check(what, isTrue) {
  if (!isTrue) throw new Error(`smoke: ${what}`)
  console.log(`smoke: ${what}`)
}

try {
  run(process.execPath, ['scripts/build.mjs'], root)
  const [{ filename, size }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', temp], root),
  )
  run('npm', ['init', '-y'])
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', join(temp, filename)])
  check(
    `the packed product (${Math.round(size / 1024)} KB) says its version`,
    /^\d+\.\d+\.\d+/.test(tandem('--version')),
  )
  tandem('run', '--', 'export SMOKE=1')
  check(
    'a variable stays in the shared shell',
    tandem('run', '--', 'echo "[$SMOKE]"').includes('[1]'),
  )
  check('the demo model lists the files', tandem('-p', 'list the files').includes('package.json'))
  tandem('stop', '--shells')
  copyFileSync(join(root, 'examples/embed/hello.mjs'), join(app, 'hello.mjs'))
  check(
    'the example of the embeddable agent runs',
    run(process.execPath, ['hello.mjs']).includes('done after 2 steps'),
  )
  console.log('1 passed, 0 failed')
} finally {
  try {
    tandem('stop', '--shells')
  } catch {
    // Nothing was running any more.
  }
  rmSync(temp, { recursive: true, force: true })
}
