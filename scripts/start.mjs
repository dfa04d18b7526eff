// `npm start`: builds if the sources are newer than the build, then serves.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = new URL('..', import.meta.url).pathname

function newest(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (time, entry) => Math.max(time, statSync(join(entry.parentPath, entry.name)).mtimeMs),
      0,
    )
}

function builtAt() {
  try {
    return statSync(join(root, 'dist/cli.js')).mtimeMs
  } catch {
    return 0
  }
}

if (builtAt() < newest(join(root, 'src'))) {
  console.error('Building …')
  const build = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' })
  if (build.status !== 0) process.exit(build.status ?? 1)
}
process.argv.splice(2, 0, 'serve')
await import('../dist/cli.js')
