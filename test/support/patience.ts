import { spawnSync } from 'node:child_process'
import { performance } from 'node:perf_hooks'

/** The start of a bare Node on a quiet machine of two cores. */
const quietMs = 50
const most = 8

/**
 * Stretches the tests' deadlines: 1 on a quiet machine, more on a slow or loaded one. The processes that vitest starts
 * inherit the number instead of measuring anew, for by then the tests themselves are the load.
 */
export const patience = Number(process.env['TANDEM_TEST_PATIENCE'] ?? measured())

function measured(): number {
  const times = Array.from({ length: 5 }, () => {
    const begun = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - begun
  }).sort((a, b) => a - b)
  return Math.min(most, Math.max(1, (times[2] ?? quietMs) / quietMs))
}
