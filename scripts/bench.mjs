// Bundles the benchmarks (or the soak) and runs them against the build.
import { spawnSync } from 'node:child_process'
import { rolldown } from 'rolldown'

const root = new URL('..', import.meta.url)
const at = (path) => new URL(path, root).pathname
const [name = 'main', ...rest] = process.argv.slice(2)

const build = spawnSync(process.execPath, [at('scripts/build.mjs')], { stdio: 'inherit' })
if (build.status !== 0) process.exit(build.status ?? 1)
const bundle = await rolldown({
  input: { [name]: at(`bench/${name}.ts`) },
  platform: 'node',
  external: ['@lydell/node-pty', '@photostructure/sqlite', 'playwright-core', 'vitest'],
  moduleTypes: { '.md': 'text', '.bash': 'text', '.zsh': 'text', '.fish': 'text' },
  transform: { define: { TANDEM_VERSION: '"bench"' } },
})
await bundle.write({
  dir: at('node_modules/.cache/tandem-bench'),
  format: 'esm',
  entryFileNames: '[name].js',
})
await bundle.close()
process.exit(
  spawnSync(process.execPath, [at(`node_modules/.cache/tandem-bench/${name}.js`), ...rest], {
    stdio: 'inherit',
    env: { ...process.env, TANDEM_DIST: at('dist') },
  }).status ?? 1,
)
