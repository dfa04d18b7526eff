import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** The holder as users get it, alone: in the project's cache, so that its native part is found. */
export async function bundleHolder(): Promise<string> {
  const folder = at(`.cache/holder/${process.pid}`)
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({
    input: { holder: at('src/holder/main.ts') },
    platform: 'node',
    external: ['@lydell/node-pty'],
    treeshake: true,
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', minify: true })
  await bundle.close()
  const entry = at('.cache/holder/holder.mjs')
  renameSync(`${folder}/holder.mjs`, entry)
  rmSync(folder, { recursive: true, force: true })
  return entry
}
