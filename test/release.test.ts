import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from './architecture/root.ts'

const script = join(root, 'scripts/release.mjs')
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-release-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'tandem', version: '0.9.0' }))
})
afterEach(() => rmSync(folder, { recursive: true }))

const changelog = (text: string) => writeFileSync(join(folder, 'CHANGELOG.md'), text)
const release = (...args: string[]) =>
  spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' })

test('[PKG6] a release gives the open entries its version and leaves earlier ones alone', () => {
  changelog('# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [0.9.0] - 2026-01-01\n\n- Old.\n')
  const { stdout, status } = release('0.10.0', '--dry-run')
  expect(status).toBe(0)
  expect(stdout.trim()).toMatch(
    /^# Changelog\n\n## \[Unreleased\]\n\n## \[0\.10\.0\] - \d{4}-\d\d-\d\d\n\n- New\.\n\n## \[0\.9\.0\] - 2026-01-01\n\n- Old\.$/,
  )
})

test('[PKG6] a release of nothing, of an older version or over uncommitted work is refused', () => {
  changelog('# Changelog\n\n## [Unreleased]\n\n## [0.9.0] - 2026-01-01\n\n- Old.\n')
  expect(release('0.10.0').stderr).toContain('says nothing under [Unreleased]')
  changelog('# Changelog\n\n## [Unreleased]\n\n- New.\n')
  expect(release('0.8.9').stderr).toContain('0.8.9 does not come after 0.9.0')
  expect(release('soon').stderr).toContain('usage')
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  const { stderr, status } = release('0.10.0')
  expect({ stderr, status }).toEqual({
    stderr: 'release: there are uncommitted changes.\n',
    status: 1,
  })
})
