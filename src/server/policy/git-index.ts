import { join, relative } from 'node:path'
import { readSmallFile } from '../../skill/read-file.ts'
import { entriesIn, maxIndexBytes } from './git-entries.ts'
import { rootOf } from './git-settings.ts'

/**
 * Says whether the index of the repository around a file knows it: then git has a version of it. Read from the file alone,
 * for git itself would obey the settings of the repository.
 */
export async function isInIndex(file: string): Promise<boolean> {
  const root = await rootOf(file)
  if (root === null) return false
  const index = await readSmallFile(join(root, '.git', 'index'), maxIndexBytes)
  return index.ok && hasEntry(index.value, Buffer.from(relative(root, file)))
}

/** Looks for a path in an index; one that is not understood has none. */
export function hasEntry(index: Buffer, path: Buffer): boolean {
  for (const entry of entriesIn(index)) if (entry?.name.equals(path)) return true
  return false
}
