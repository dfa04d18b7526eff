import { type Dirent, constants } from 'node:fs'
import { readdir, stat, access } from 'node:fs/promises'
import { join } from 'node:path'

export interface FoundPath {
  /** As typed up to the last slash, then the name; a folder ends with a slash. */
  path: string
  isFolder: boolean
}

export interface PathQuery {
  text: string
  /** Relative paths begin here. */
  base: string
  /** `~/` stands for this; null when it stands for itself. */
  home: string | null
  foldersOnly?: boolean
  limit: number
}

/** A folder with more is a cache or a queue, and sorting all of it would be felt. */
const mostSorted = 10_000

/** The names in the folder of a half-typed path that go on as it does; hidden ones if it says so. */
export async function listPaths(query: PathQuery): Promise<readonly FoundPath[]> {
  const { text, limit, foldersOnly = false } = query
  const slash = text.lastIndexOf('/') + 1
  const [typed, start] = [text.slice(0, slash), text.slice(slash)]
  const folder = folderOf(typed, query)
  if (folder === null) return []
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const fitting = entries
    .filter(({ name }) => isShown(name, start))
    .slice(0, mostSorted)
    .sort((a, b) => order(a.name, b.name))
  const named = fitting.filter(({ name }) => name.startsWith(start))
  // Only when no name goes on as typed are capitals overlooked.
  const chosen = named.length > 0 ? named : fitting
  const found: FoundPath[] = []
  for (const entry of chosen) {
    if (found.length >= limit) break
    const isFolder = await leadsToFolder(folder, entry)
    if (foldersOnly && !isFolder) continue
    found.push({ path: `${typed}${entry.name}${isFolder ? '/' : ''}`, isFolder })
  }
  return found
}

function folderOf(typed: string, { base, home }: PathQuery): string | null {
  if (home !== null && typed.startsWith('~')) {
    // Another person’s folder is not ours to look up.
    return typed.startsWith('~/') ? join(home, typed.slice(2)) : null
  }
  return typed.startsWith('/') ? typed : join(base, typed)
}

function isShown(name: string, start: string): boolean {
  // A name that is no text cannot be typed.
  if (name.includes('\uFFFD')) return false
  if (name.startsWith('.') && !start.startsWith('.')) return false
  return name.toLowerCase().startsWith(start.toLowerCase())
}

function order(a: string, b: string): number {
  return a < b ? -1 : 1
}

async function leadsToFolder(folder: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  const found = await stat(join(folder, entry.name)).catch(() => null)
  return found?.isDirectory() ?? false
}

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
