// Bundles the entries into dist/: a tiny cli, and the parts it starts or loads when they are needed.
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { rolldown } from 'rolldown'
import { buildReact } from './build-react.mjs'
import { declarationsOf } from './build-types.mjs'
import { buildWeb } from './build-web.mjs'

const root = new URL('..', import.meta.url)
const at = (path) => new URL(path, root).pathname
const { version } = JSON.parse(await readFile(at('package.json'), 'utf8'))

// Made beside and swapped in whole: what runs from the old one meanwhile finds every part of it.
const fresh = await mkdtemp(at('dist-'))
const bundle = await rolldown({
  input: {
    cli: at('src/cli/main.ts'),
    index: at('src/index.ts'),
    server: at('src/server/detached.ts'),
    holder: at('src/holder/main.ts'),
    skill: at('src/skill/main.ts'),
    emulator: at('src/server/terminal/emulator/worker.ts'),
    looker: at('src/server/looker/main.ts'),
  },
  platform: 'node',
  // Native parts cannot be bundled; everything else is.
  external: ['@lydell/node-pty', '@photostructure/sqlite', '@vscode/ripgrep'],
  moduleTypes: { '.md': 'text', '.bash': 'text', '.zsh': 'text', '.fish': 'text' },
  transform: { define: { TANDEM_VERSION: JSON.stringify(version) } },
})
await bundle.write({
  dir: fresh,
  format: 'esm',
  entryFileNames: '[name].js',
  // Beside the entries: a part finds another by its own place.
  chunkFileNames: '[name]-[hash].js',
  minify: true,
})
await bundle.close()
await chmod(`${fresh}/cli.js`, 0o755)
await writeFile(`${fresh}/index.d.ts`, await declarationsOf(at('src/index.ts')))
await buildReact(fresh)
await buildWeb(`${fresh}/web`)
const old = `${fresh}.old`
await rename(at('dist'), old).catch(() => undefined)
await rename(fresh, at('dist'))
await rm(old, { recursive: true, force: true })
await chmod(at('dist'), 0o755)
