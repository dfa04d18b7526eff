import { spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { allCases } from './cases.ts'
import type { MatrixJob, MatrixResult } from './matrix-main.ts'

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
/** `nobody`: no files, no groups, no rights. */
const nobody = 65_534

export type Who = 'root' | 'user'

export const amRoot = process.getuid?.() === 0

async function bundle(): Promise<string> {
  const dir = at('.cache/probe')
  mkdirSync(dir, { recursive: true })
  const built = await rolldown({
    input: { matrix: at('test/probe/support/matrix-main.ts') },
    platform: 'node',
    external: ['@lydell/node-pty'],
  })
  await built.write({ dir, format: 'esm', entryFileNames: '[name].mjs' })
  await built.close()
  return join(dir, 'matrix.mjs')
}

/** The cases that make sense for this user, with what is right for them. */
export function casesFor(who: Who): MatrixJob['cases'] {
  return allCases
    .filter(({ only }) => only === undefined || only === who)
    .map((one) => ({ ...one, expected: who === 'user' ? (one.asUser ?? one.state) : one.state }))
}

/** Runs every program in a shell of its own, in a process of this user. */
export async function runMatrix(
  who: Who,
  cases = casesFor(who),
): Promise<ReadonlyMap<string, MatrixResult>> {
  const entry = await bundle()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-probe-')))
  const uid = who === 'user' && amRoot ? nobody : null
  if (uid !== null) chownSync(folder, uid, uid)
  const job: MatrixJob = { folder, uid, cases }
  const child = spawn(process.execPath, [entry, JSON.stringify(job)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const results = new Map<string, MatrixResult>()
  for await (const line of createInterface({ input: child.stdout })) {
    const result = JSON.parse(line) as MatrixResult
    results.set(result.name, result)
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  return results
}
