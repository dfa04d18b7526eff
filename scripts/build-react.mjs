// The hooks of `tandem/react`: one file for browsers that brings all but React itself.
import { writeFile } from 'node:fs/promises'
import { rolldown } from 'rolldown'
import { declarationsOf } from './build-types.mjs'
import { silentRoutes } from './silent-routes.mjs'

const entry = new URL('../src/react/main.ts', import.meta.url).pathname

export async function buildReact(folder) {
  const bundle = await rolldown({
    input: { react: entry },
    platform: 'browser',
    external: ['react'],
    plugins: [silentRoutes],
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', minify: true })
  await bundle.close()
  await writeFile(`${folder}/react.d.ts`, await declarationsOf(entry))
}
