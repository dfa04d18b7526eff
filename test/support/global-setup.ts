import { execFileSync } from 'node:child_process'

/** System tests drive the bundle that users get, so it is built from what is on disk now. */
export function setup(): void {
  // Several projects of one run share it.
  if (process.env['TANDEM_TEST_BUILT'] === '1') return
  process.env['TANDEM_TEST_BUILT'] = '1'
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
}
