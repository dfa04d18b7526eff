import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** A folder on a real disk for the tests of one file. */
export function useTempFolder(): () => string {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tandem-store-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return () => folder
}
