import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const here = import.meta.dirname

/** Bundles the child programs into `folder`, once, so that each start costs as little as a real server's. */
export async function bundleChildren(folder: string): Promise<(name: string) => string> {
  const bundle = await rolldown({
    input: {
      append: join(here, 'append.ts'),
      migrate: join(here, 'migrate.ts'),
      lock: join(here, 'lock.ts'),
    },
    platform: 'node',
    external: ['@photostructure/sqlite'],
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs' })
  await bundle.close()
  symlinkSync(resolve(here, '../../../node_modules'), join(folder, 'node_modules'))
  return (name) => join(folder, `${name}.mjs`)
}
