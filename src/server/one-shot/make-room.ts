import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** As much as a session's byte log: output of one-shot runs beyond it goes, the oldest first. */
const maxBytes = 256 * 1024 * 1024

/** Removes the oldest runs' output until there is room for another. Runs under way are not touched. */
export async function makeRoom(
  folder: string,
  { busy, cap = maxBytes }: { busy: ReadonlySet<string>; cap?: number },
): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const runs = await Promise.all(names.map((name) => sizeOf(join(folder, name), name)))
  let total = runs.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { name, bytes } of runs.sort((a, b) => a.at - b.at)) {
    if (total <= cap) return
    if (busy.has(name)) continue
    await rm(join(folder, name), { recursive: true, force: true })
    total -= bytes
  }
}

async function sizeOf(
  folder: string,
  name: string,
): Promise<{ name: string; bytes: number; at: number }> {
  const files = await readdir(folder).catch(() => [])
  const stats = await Promise.all(files.map((file) => stat(join(folder, file)).catch(() => null)))
  const bytes = stats.reduce((sum, found) => sum + (found?.size ?? 0), 0)
  const at = stats.reduce((last, found) => Math.max(last, found?.mtimeMs ?? 0), 0)
  return { name, bytes, at }
}
