import type { Result } from '../../protocol/result.ts'
import { limits } from '../../protocol/limits.ts'
import type { FileList, ListOptions } from '../files/ripgrep.ts'
import { nameList, type NameList, noNames } from './name-list.ts'

export interface IndexedNames {
  /** Relative to the folder, those near its top first; folders end with a slash. */
  list: NameList
  isWhole: boolean
}

/** The files of a few workspaces, kept in memory: listing them takes longer than anyone waits for a key. */
export interface FileIndex {
  /** What is known at once; the first time, what is found. Older than a moment, it is looked up anew meanwhile. */
  names(folder: string): Promise<IndexedNames>
  /** Something ran there: files may have come and gone. */
  touch(folder: string): void
}

export interface FileIndexDeps {
  list(folder: string, options: ListOptions): Promise<Result<FileList, string>>
  /** Monotonic milliseconds. */
  now(): number
}

interface Kept {
  known: Promise<IndexedNames>
  at: number
  isStale: boolean
  isRefreshing: boolean
}

/** A list this old may lack what somebody has just made. */
const freshMs = 3_000
/** Of so many folders names are kept; a person works in one or two. */
const keptFolders = 4
const nothing: IndexedNames = { list: noNames, isWhole: false }

export function createFileIndex({ list, now }: FileIndexDeps): FileIndex {
  const kept = new Map<string, Kept>()

  async function look(folder: string): Promise<IndexedNames> {
    const listed = await list(folder, { limit: limits.completedFiles })
    if (!listed.ok) return nothing
    return { list: await nameList(listed.value.files), isWhole: listed.value.isWhole }
  }

  function begin(folder: string): Kept {
    const entry = { known: look(folder), at: now(), isStale: false, isRefreshing: false }
    const oldest = kept.keys().next()
    if (kept.size >= keptFolders && !oldest.done) kept.delete(oldest.value)
    kept.set(folder, entry)
    return entry
  }

  async function refresh(folder: string, entry: Kept): Promise<void> {
    entry.isRefreshing = true
    entry.isStale = false
    const found = await look(folder)
    // What could not be listed this once is better known from before.
    if (found !== nothing) entry.known = Promise.resolve(found)
    entry.at = now()
    entry.isRefreshing = false
  }

  return {
    async names(folder) {
      const entry = kept.get(folder) ?? begin(folder)
      const known = await entry.known
      if (!entry.isRefreshing && (entry.isStale || now() - entry.at > freshMs))
        void refresh(folder, entry)
      return known
    },
    touch(folder) {
      const entry = kept.get(folder)
      if (entry) entry.isStale = true
    },
  }
}
