import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { layerNames } from './layers.ts'
import { root } from './root.ts'

/** A file of one layer that should pass a tool or fail it. */
export interface Canary {
  layer: string
  name: string
  text: string
}

export interface Cage {
  /** The canaries that the compiler finds fault with, as `layer/name`. */
  compile(): Promise<readonly string[]>
  /** The canaries that the linter finds fault with. */
  lint(): Promise<readonly string[]>
  remove(): void
}

/**
 * The project's own tool settings over files that are nothing but canaries: what fails there fails
 * in `src`. Each layer also has a `leaf.ts`, for others to import or to be kept from importing.
 */
export function openCage(canaries: readonly Canary[]): Cage {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-canaries-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const file of ['tsconfig.base.json', '.oxlintrc.json'])
    copyFileSync(join(root, file), join(folder, file))
  for (const layer of layerNames) {
    mkdirSync(join(folder, 'src', layer), { recursive: true })
    const config = join('src', layer, 'tsconfig.json')
    copyFileSync(join(root, config), join(folder, config))
    writeFileSync(join(folder, 'src', layer, 'leaf.ts'), 'export const leaf = 1\n')
  }
  for (const { layer, name, text } of canaries)
    writeFileSync(join(folder, 'src', layer, `${name}.ts`), `${text}\n`)

  async function faults(tool: string, args: readonly string[]): Promise<readonly string[]> {
    const output = await outputOf(join(folder, 'node_modules', '.bin', tool), { args, cwd: folder })
    const found = output.matchAll(/^src\/(\w+\/[\w-]+)\.ts[(:]\d+/gm)
    return [...new Set([...found].map(([, file = '']) => file))].sort()
  }

  return {
    compile: () => faults('tsc', ['-b', ...layerNames.map((layer) => join('src', layer))]),
    lint: () => faults('oxlint', ['--format', 'unix', 'src']),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** What a tool prints, though it fails: that it finds fault is the point. */
function outputOf(
  file: string,
  { args, cwd }: { args: readonly string[]; cwd: string },
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error)
      else resolve(stdout + stderr)
    })
  })
}
