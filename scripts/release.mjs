// `npm run release 0.2.0`: checks everything, closes the changelog's section, stamps the version, packs the
// tarball into `release/` and tags the commit. Publishing is a command that it prints, for a person to run.
// `--dry-run` only prints the changelog as it would be.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [version, flag] = process.argv.slice(2)

function fail(reason) {
  console.error(`release: ${reason}`)
  process.exit(1)
}

function run(command, ...args) {
  execFileSync(command, args, { stdio: 'inherit' })
}

function read(command, ...args) {
  return execFileSync(command, args, { encoding: 'utf8' }).trim()
}

/** Versions compare number by number: 0.10.0 comes after 0.9.0. */
function isNewer(next, last) {
  const [a, b] = [next, last].map((text) => text.split('.').map(Number))
  const at = a.findIndex((part, index) => part !== b[index])
  return at !== -1 && a[at] > b[at]
}

/** The entries so far get the version as their heading; an empty section waits for the next ones. */
function stampChangelog(text, date) {
  const [, entries] = /^## \[Unreleased\]\n([\s\S]*?)(?=^## \[|(?![\s\S]))/m.exec(text) ?? []
  if (entries === undefined) fail('CHANGELOG.md has no section [Unreleased].')
  if (entries.trim() === '') fail('CHANGELOG.md says nothing under [Unreleased].')
  return text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`)
}

if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) fail('usage: npm run release 0.2.0 [-- --dry-run]')
const { name, version: last } = JSON.parse(readFileSync('package.json', 'utf8'))
if (!isNewer(version, last)) fail(`${version} does not come after ${last}.`)
const changelog = stampChangelog(
  readFileSync('CHANGELOG.md', 'utf8'),
  new Date().toISOString().slice(0, 10),
)
if (flag === '--dry-run') {
  console.log(changelog)
  process.exit(0)
}
if (read('git', 'status', '--porcelain') !== '') fail('there are uncommitted changes.')
if (read('git', 'branch', '--show-current') !== 'main') fail('releases are made on main.')

for (const script of ['check', 'test:all', 'smoke']) run('npm', 'run', script)
writeFileSync('CHANGELOG.md', changelog)
run('npm', 'version', '--no-git-tag-version', version)
mkdirSync('release', { recursive: true })
run('npm', 'pack', '--pack-destination', 'release')
const tarball = join('release', `${name}-${version}.tgz`)
const sum = createHash('sha256').update(readFileSync(tarball)).digest('hex')
run('git', 'commit', '-am', `chore: release ${version}`)
run('git', 'tag', '-a', `v${version}`, '-m', `${name} ${version}`)
console.log(
  `\n${tarball}\nsha256 ${sum}\n\nLook at it, then: git push --follow-tags && npm publish ${tarball}`,
)
