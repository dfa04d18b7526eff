import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** A work tree: git's own folder, and the one with the files. */
export interface Worktree {
  git: string
  root: string
}

/** The work trees within one that git enters by itself; null when nobody can say. */
export async function submodulesOf({ git, root }: Worktree): Promise<readonly Worktree[] | null> {
  const shared = await readdir(git).catch(() => [])
  if (shared.some((name) => name.startsWith('sharedindex.'))) return null
  const index = await readFile(join(git, 'index')).catch(() => null)
  const paths = index === null ? [] : linksIn(index)
  if (paths === null) return null
  const found = await Promise.all(
    paths.map(async (path) => {
      const own = await gitFolder(join(root, path, '.git'))
      return own === null ? [] : [{ git: own, root: join(root, path) }]
    }),
  )
  return found.flat()
}

/** A folder, or a file that says where it is; null when the submodule is not there. */
async function gitFolder(path: string): Promise<string | null> {
  const names = await readdir(path).catch(() => null)
  if (names !== null) return path
  const text = await readFile(path, 'utf8').catch(() => '')
  const said = /^gitdir: (.*)$/m.exec(text)?.[1]
  return said === undefined ? null : resolve(path, '..', said.trim())
}

/** The paths in an index that are commits of another repository; null when the index cannot be read. */
export function linksIn(index: Buffer): readonly string[] | null {
  const [head, fixed] = [12, 62]
  if (index.length < head || index.readUInt32BE(4) > 3) return null
  const links: string[] = []
  let at = head
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (at + fixed > index.length) return null
    const isLink = index.readUInt32BE(at + 24) >>> 12 === 0xe
    const name = at + fixed + (index.readUInt16BE(at + 60) & 0x4000 ? 2 : 0)
    const end = index.indexOf(0, name)
    if (end < 0) return null
    if (isLink) links.push(index.toString('utf8', name, end))
    // An entry is filled up with zeros, at least one, to a multiple of eight.
    at += (end - at + 8) & ~7
  }
  return links
}
