import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writePrivate } from './private-file.ts'

test('[ACCESS3] of two writes at once the later one stays, however long the first takes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-private-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'browsers.json')
  const long = 'x'.repeat(4_000_000)
  for (const round of [1, 2, 3]) {
    await Promise.all([writePrivate(path, long), writePrivate(path, `left ${round}`)])
    expect(readFileSync(path, 'utf8').slice(0, 20)).toBe(`left ${round}`)
  }
  expect(readdirSync(folder)).toEqual(['browsers.json'])
})

test('[ACCESS3] a write that failed holds up none after it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-private-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const below = join(folder, 'gone', 'browsers.json')
  await expect(writePrivate(below, 'a')).rejects.toThrow(/ENOENT/)
  await expect(writePrivate(below, 'b')).rejects.toThrow(/ENOENT/)
})
