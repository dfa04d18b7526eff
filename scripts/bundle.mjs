// Bundles the product's entries into a folder; the build and what measures it share the options.
import { readFile } from 'node:fs/promises'
import { rolldown } from 'rolldown'

const at = (path) => new URL(`../${path}`, import.meta.url).pathname

/** The output options of rolldown may be added to, for a bundle that is looked into. */
export async function bundleProduct(folder, output = { minify: true }) {
  const { version } = JSON.parse(await readFile(at('package.json'), 'utf8'))
  const bundle = await rolldown({
    input: {
      cli: at('src/cli/main.ts'),
      index: at('src/index.ts'),
      server: at('src/server/process/detached.ts'),
      holder: at('src/holder/main.ts'),
      skill: at('src/skill/main.ts'),
      emulator: at('src/server/terminal/emulator/worker/worker.ts'),
      examine: at('src/server/damage/examine-main.ts'),
      looker: at('src/server/looker/looker-main.ts'),
    },
    platform: 'node',
    // Native parts cannot be bundled; everything else is.
    external: ['@lydell/node-pty', '@photostructure/sqlite', '@vscode/ripgrep'],
    moduleTypes: { '.md': 'text', '.bash': 'text', '.zsh': 'text', '.fish': 'text' },
    transform: { define: { TANDEM_VERSION: JSON.stringify(version) } },
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    // Beside the entries: a part finds another by its own place.
    chunkFileNames: '[name]-[hash].js',
    ...output,
  })
  await bundle.close()
}
