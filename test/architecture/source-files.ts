import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

export interface SourceFile {
  /** From the root of the repository. */
  path: string
  text: string
}

/** The files below a folder whose names end so, in order. */
export function filesOf(folder: string, ending: RegExp): readonly SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** The product's own TypeScript, without tests and declarations. */
export function sources(): readonly SourceFile[] {
  return filesOf('src', /\.tsx?$/).filter(({ path }) => !/\.(test|d)\.tsx?$/.test(path))
}

/** The packages a file imports by name, sub-paths and built-ins left out. */
export function packagesOf({ text }: SourceFile): readonly string[] {
  const specifiers = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([@\w][^'\\]*)'/g)
  return [...specifiers]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
}
