import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const source = fileURLToPath(
  new URL('../../../src/server/terminal/emulator/worker/worker.ts', import.meta.url),
)

export interface Bundle {
  entry: string
  remove: () => void
}

/** The worker as users get it: one file with all it needs. */
export async function bundleWorker(): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-emulator-'))
  const built = await rolldown({ input: { emulator: source }, platform: 'node' })
  await built.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', minify: true })
  await built.close()
  return {
    entry: join(folder, 'emulator.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
