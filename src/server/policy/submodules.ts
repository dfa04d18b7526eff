import { lstat, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readSmallFile } from '../../skill/read-file.ts'
import { entriesIn, maxIndexBytes } from './git-entries.ts'

/** A work tree: git's own folder, and the one with the files. */
export interface Worktree {
  git: string
  root: string
}

/** The work trees within one that git enters by itself; null when nobody can say. */
export async function submodulesOf({ git, root }: Worktree): Promise<readonly Worktree[] | null> {
  const shared = await readdir(git).catch(() => [])
  if (shared.some((name) => name.startsWith('sharedindex.'))) return null
  const paths = await linksOf(join(git, 'index'))
  if (paths === null) return null
  const found = await Promise.all(
    paths.map(async (path) => {
      const own = await gitFolder(join(root, path, '.git'))
      return own === null ? [] : [{ git: own, root: join(root, path) }]
    }),
  )
  return found.flat()
}

/** Git itself takes no larger one. */
const maxPointerBytes = 1024 * 1024

/** A folder, or a file that says where it is; null when the submodule is not there. */
async function gitFolder(path: string): Promise<string | null> {
  const names = await readdir(path).catch(() => null)
  if (names !== null) return path
  const text = await readSmallFile(path, maxPointerBytes)
  const said = text.ok ? /^gitdir: (.*)$/m.exec(text.value.toString())?.[1] : undefined
  return said === undefined ? null : resolve(path, '..', said.trim())
}

async function linksOf(path: string): Promise<readonly string[] | null> {
  // A repository without an index has nothing added yet.
  if ((await lstat(path).catch(() => null)) === null) return []
  const index = await readSmallFile(path, maxIndexBytes)
  return index.ok ? linksIn(index.value) : null
}

/** The paths in an index that are commits of another repository; null when the index cannot be read. */
function linksIn(index: Buffer): readonly string[] | null {
  const links: string[] = []
  for (const entry of entriesIn(index)) {
    if (entry === null) return null
    if (entry.isLink) links.push(entry.name.toString())
  }
  return links
}
