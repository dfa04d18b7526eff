import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that is gone with the test. */
export async function tempFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'tandem-')))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
}
