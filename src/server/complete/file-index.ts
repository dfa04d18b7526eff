import { setImmediate } from 'node:timers/promises'
import type { Result } from '../../base/result.ts'
import { limits } from '../../protocol/limits.ts'
import type { FileList, ListOptions } from '../files/ripgrep.ts'

/** Names of files and folders, with what makes looking for letters in all of them quick. */
export interface NameList {
  names: readonly string[]
  /** The same in small letters. */
  lower: readonly string[]
  /** The letters of each name, as bits. */
  letters: Int32Array
}

export const noNames: NameList = { names: [], lower: [], letters: new Int32Array() }

/** A bit for each letter; digits share one, and so does all the rest. */
export function lettersOf(text: string): number {
  let bits = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 97 && code <= 122) bits |= 1 << (code - 97)
    else bits |= code >= 48 && code <= 57 ? 1 << 26 : 1 << 27
  }
  return bits
}

/** Others get their turn after so many names. */
const atOnce = 10_000

/** Files and the folders they are in, those near the top first. In pieces, so that nobody waits for all of it. */
export async function nameList(files: readonly string[]): Promise<NameList> {
  const names = await withFolders(files)
  const lower: string[] = []
  const letters = new Int32Array(names.length)
  for (const [index, name] of names.entries()) {
    if (index % atOnce === atOnce - 1) await setImmediate()
    const small = name.toLowerCase()
    lower.push(small)
    letters[index] = lettersOf(small)
  }
  return { names, lower, letters }
}

async function withFolders(files: readonly string[]): Promise<readonly string[]> {
  const folders = new Set<string>()
  const byDepth: string[][] = []
  const add = (name: string, depth: number) => (byDepth[depth] ??= []).push(name)
  for (const [index, file] of files.entries()) {
    if (index % atOnce === atOnce - 1) await setImmediate()
    let depth = 0
    for (let at = file.indexOf('/'); at !== -1; at = file.indexOf('/', at + 1)) {
      const folder = file.slice(0, at + 1)
      if (!folders.has(folder)) {
        folders.add(folder)
        add(folder, depth)
      }
      depth += 1
    }
    add(file, depth)
  }
  return byDepth.flat()
}

export interface IndexedNames {
  /** Relative to the folder, those near its top first; folders end with a slash. */
  list: NameList
  isWhole: boolean
}

/** The files of a few workspaces, kept in memory: listing them takes longer than anyone waits for a key. */
export interface FileIndex {
  /** The known names at once; the first call looks them up. A list older than a moment is renewed meanwhile. */
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
/** A person works in one or two folders. */
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
    // An older list is better than none.
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
