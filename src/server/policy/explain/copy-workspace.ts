import { cp, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** Larger folders take too long to copy for each state. */
const [maxEntries, maxBytes] = [2_000, 32 * 1024 * 1024]

/** A folder as it is now, for commands that may change it; null when it is too large to copy. */
export async function copyWorkspace(
  workspace: string,
): Promise<{ folder: string; remove(): Promise<void> } | null> {
  if (!(await isSmall(workspace))) return null
  const temp = await realpath(await mkdtemp(join(tmpdir(), 'tandem-folder-')))
  const remove = () => rm(temp, { recursive: true, force: true })
  const folder = join(temp, basename(workspace) || 'root')
  try {
    await cp(workspace, folder, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    })
  } catch {
    // A socket, or a file that nobody may read.
    await remove()
    return null
  }
  return { folder, remove }
}

async function isSmall(workspace: string): Promise<boolean> {
  let [entries, bytes] = [0, 0]
  const folders = [workspace]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const found = await readdir(folder, { withFileTypes: true }).catch(() => [])
    entries += found.length
    if (entries > maxEntries) return false
    for (const entry of found) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) bytes += (await stat(path).catch(() => null))?.size ?? 0
    }
    if (bytes > maxBytes) return false
  }
  return true
}
