import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** One entry as users get it, alone: in the project's cache, so that native parts are found. */
async function bundle(source: string, name: string): Promise<string> {
  const folder = at(`.cache/terminal/${randomUUID()}`)
  mkdirSync(folder, { recursive: true })
  const built = await rolldown({
    input: { [name]: at(source) },
    platform: 'node',
    external: ['@lydell/node-pty'],
    moduleTypes: { '.bash': 'text', '.zsh': 'text', '.fish': 'text' },
  })
  await built.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', minify: true })
  await built.close()
  const entry = at(`.cache/terminal/${name}.mjs`)
  renameSync(`${folder}/${name}.mjs`, entry)
  rmSync(folder, { recursive: true, force: true })
  return entry
}

export function bundleHolder(): Promise<string> {
  return bundle('src/holder/main.ts', 'holder')
}

/** A server process that a test may kill. */
export function bundleDoomedServer(): Promise<string> {
  return bundle('test/terminal/support/doomed-server.ts', 'doomed-server')
}

/** One that runs commands in a limited shell, to be started as another user. */
export function bundleLimitedShell(): Promise<string> {
  return bundle('test/terminal/support/limited-shell.ts', 'limited-shell')
}
