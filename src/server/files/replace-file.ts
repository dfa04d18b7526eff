import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Writes a file of ours whole or not at all, for somebody may be about to read it. Whatever stands in the way of its
 * first name is ours to remove: a pipe would hold us up, and a link would have us write elsewhere.
 */
export function replaceFile(path: string, text: string, { mode }: { mode: number }): void {
  const fresh = `${path}.new`
  rmSync(fresh, { recursive: true, force: true })
  writeFileSync(fresh, text, { mode, flag: 'wx' })
  // A person's umask may have taken something away.
  chmodSync(fresh, mode)
  renameSync(fresh, path)
}
