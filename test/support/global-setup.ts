import { execFileSync } from 'node:child_process'

/** System tests drive the bundle that users get, so it is built from what is on disk now. */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
}
