// Bundles the entries into dist/: a tiny cli, and the parts it starts or loads when they are needed.
import { rm, chmod, readFile } from 'node:fs/promises'
import { rolldown } from 'rolldown'

const root = new URL('..', import.meta.url)
const at = (path) => new URL(path, root).pathname
const { version } = JSON.parse(await readFile(at('package.json'), 'utf8'))

await rm(at('dist'), { recursive: true, force: true })
const bundle = await rolldown({
  input: {
    cli: at('src/cli/main.ts'),
    server: at('src/server/detached.ts'),
    holder: at('src/holder/main.ts'),
  },
  platform: 'node',
  // Native parts cannot be bundled; everything else is.
  external: ['@lydell/node-pty', '@photostructure/sqlite'],
  moduleTypes: { '.md': 'text', '.bash': 'text', '.zsh': 'text', '.fish': 'text' },
  transform: { define: { TANDEM_VERSION: JSON.stringify(version) } },
})
await bundle.write({
  dir: at('dist'),
  format: 'esm',
  entryFileNames: '[name].js',
  // Beside the entries: a part finds another by its own place.
  chunkFileNames: '[name]-[hash].js',
  minify: true,
})
await bundle.close()
await chmod(at('dist/cli.js'), 0o755)
