import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

export interface LockedPackage {
  version?: string
  license?: string
  dev?: boolean
  hasInstallScript?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

export const packages: Readonly<Record<string, LockedPackage>> = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
).packages

/** A package and everything it brings along, hoisted or nested. */
export function withDependencies(name: string, from = ''): ReadonlyMap<string, LockedPackage> {
  const found = new Map<string, LockedPackage>()
  const visit = (wanted: string, parent: string): void => {
    const path = locate(wanted, parent)
    const locked = path === null ? undefined : packages[path]
    if (path === null || locked === undefined || found.has(path)) return
    found.set(path, locked)
    const { dependencies = {}, optionalDependencies = {} } = locked
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) visit(each, path)
  }
  visit(name, from)
  return found
}

/** Where Node would find it: in the nearest `node_modules` above. */
function locate(name: string, parent: string): string | null {
  for (let above = parent; ; above = above.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    const path = `${above === '' ? '' : `${above}/`}node_modules/${name}`
    if (packages[path]) return path
    if (above === '') return null
  }
}
