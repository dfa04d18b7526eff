import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface ProgramQuery {
  /** Beginning of the names. */
  text: string
  /** As the shell has it. */
  path: string
  /** How likely a name is meant. */
  weights: Readonly<Record<string, number>>
  limit: number
}

/** The programs that a search path leads to: the likeliest first, then by name, each once. */
export type FindPrograms = (query: ProgramQuery) => Promise<readonly string[]>

/** So many folders of search paths are remembered. */
const keptFolders = 200

export function createPrograms(): FindPrograms {
  const kept = new Map<string, { mtimeMs: number; names: readonly string[] }>()

  /** Read again only when something came into the folder or left it. */
  async function namesIn(folder: string): Promise<readonly string[]> {
    const found = await stat(folder).catch(() => null)
    if (!found?.isDirectory()) return []
    const known = kept.get(folder)
    if (known?.mtimeMs === found.mtimeMs) return known.names
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
    if (kept.size >= keptFolders) kept.clear()
    kept.set(folder, { mtimeMs: found.mtimeMs, names })
    return names
  }

  return async ({ text, path, weights, limit }) => {
    const weightOf = new Map(Object.entries(weights))
    const files = new Map<string, string>()
    for (const folder of path.split(':').filter((each) => each.startsWith('/')))
      for (const name of await namesIn(folder))
        if (name.startsWith(text) && !files.has(name)) files.set(name, join(folder, name))
    const sorted = [...files.entries()]
      .map(([name, file]) => ({ name, file, weight: weightOf.get(name) ?? 0 }))
      .sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1))
      .slice(0, limit)
    // Whether a file can be run is asked of the few that are left.
    const fits = await Promise.all(sorted.map(({ file }) => isRunnable(file)))
    return sorted.filter((_, index) => fits[index]).map(({ name }) => name)
  }
}

async function isRunnable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}
