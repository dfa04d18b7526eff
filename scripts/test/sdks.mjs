// Installs the providers' SDKs for `test/sdk` into `.cache/sdk`, once for each lockfile: `npm ci` stays without their 80 MB.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const source = join(process.cwd(), 'test', 'sdk')
const folder = join(process.cwd(), '.cache', 'sdk')
const marker = join(folder, 'installed')

/** npm as it was called, or as it lies beside Node. */
function npmFile() {
  const beside = join(
    dirname(process.execPath),
    '..',
    'lib',
    'node_modules',
    'npm',
    'bin',
    'npm-cli.js',
  )
  const called = process.env['npm_execpath'] ?? ''
  return called.endsWith('.js') && existsSync(called) ? called : beside
}

/** The folder with the SDKs. Throws a sentence for a person if they cannot be had. */
export function installSdks({ say = console.log } = {}) {
  const lock = readFileSync(join(source, 'package-lock.json'), 'utf8')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lock) return folder
  say('Installing the SDKs of OpenAI, Anthropic and Google into .cache/sdk (once, 80 MB)')
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(source, name), join(folder, name))
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1']
  const { status, stderr } = spawnSync(process.execPath, [npmFile(), ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) {
    const [why = 'it did not start'] =
      (stderr ?? '').match(/npm error (?!code|syscall|errno|A complete log).*/) ?? []
    throw new Error(
      `The SDKs could not be installed into .cache/sdk (${why.trim()}). They come from npm’s registry: connect to it, and run npm run test:rest again.`,
    )
  }
  writeFileSync(marker, lock)
  return folder
}
