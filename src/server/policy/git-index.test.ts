import { execFileSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { hasEntry, isInIndex } from './git-index.ts'

test.each(['2', '3', '4'])(
  '[APP72] an index of version %s says which files git has',
  async (version) => {
    const folder = mkdtempSync(join(tmpdir(), 'tandem-index-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const git = (...args: readonly string[]) => execFileSync('git', ['-C', folder, ...args])
    git('init', '-q')
    mkdirSync(join(folder, 'deep/er'), { recursive: true })
    const known = ['a.ts', 'ab.ts', 'deep/a.ts', 'deep/er/a-long-name-of-a-file.ts', 'z']
    for (const path of [...known, 'unknown', 'deep/unknown']) writeFileSync(join(folder, path), 'x')
    git('add', ...known)
    if (version === '3') git('add', '-N', 'unknown')
    git('update-index', '--index-version', version)
    const index = readFileSync(join(folder, '.git/index'))
    expect(index.readUInt32BE(4)).toBe(Number(version))
    for (const path of known) expect(await isInIndex(join(folder, path))).toBe(true)
    expect(await isInIndex(join(folder, 'deep/unknown'))).toBe(false)
    // An index that cannot be read to its end has no entries that nobody saw.
    fc.assert(
      fc.property(fc.nat(index.length), (length) => {
        expect(hasEntry(index.subarray(0, length), Buffer.from('deep/unknown'))).toBe(false)
      }),
    )
  },
)
