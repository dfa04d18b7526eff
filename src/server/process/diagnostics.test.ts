import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDiagnostics } from './diagnostics.ts'

test('[HTTP18] diagnostics that cannot be put aside are written on all the same', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-diagnostics-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'diagnostics.jsonl')
  writeFileSync(file, 'x'.repeat(6 * 1024 * 1024))
  mkdirSync(join(folder, 'diagnostics.jsonl.1/in-the-way'), { recursive: true })
  const { note } = createDiagnostics(file, () => 0)
  for (const message of ['one', 'two', 'three']) note(message)
  expect(readFileSync(file, 'utf8')).toContain('"message":"three"')
})
