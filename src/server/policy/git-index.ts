import { readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { rootOf } from './git-settings.ts'

/** A larger index is not read. */
const maxBytes = 128 * 1024 * 1024

/**
 * Says whether the index of the repository around a file knows it: then git has a version of it. Read from the file alone,
 * for git itself would obey the settings of the repository.
 */
export async function isInIndex(file: string): Promise<boolean> {
  const root = await rootOf(file)
  if (root === null) return false
  const path = join(root, '.git', 'index')
  const size = (await stat(path).catch(() => null))?.size ?? Infinity
  const index = size > maxBytes ? null : await readFile(path).catch(() => null)
  return index !== null && hasEntry(index, Buffer.from(relative(root, file)))
}

/** Looks for a path in an index of version 2, 3 or 4; one that is not understood has none. */
export function hasEntry(index: Buffer, path: Buffer): boolean {
  if (index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return false
  const version = index.readUInt32BE(4)
  if (version < 2 || version > 4) return false
  let entry: Entry | null = { name: Buffer.alloc(0), next: 12 }
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    entry = entryAfter(index, entry, version === 4)
    if (entry === null) return false
    if (entry.name.equals(path)) return true
  }
  return false
}

interface Entry {
  name: Buffer
  /** The offset of the one after it. */
  next: number
}

/** An entry has 62 bytes before its name, or 64; in version 4 the name begins as the one before it does. */
function entryAfter(index: Buffer, { name, next: at }: Entry, isShared: boolean): Entry | null {
  if (at + 62 > index.length) return null
  const isExtended = (index.readUInt16BE(at + 60) & 0x4000) !== 0
  const start = at + (isExtended ? 64 : 62)
  const dropped = isShared ? varint(index, start) : { value: name.length, next: start }
  if (dropped === null || dropped.value > name.length) return null
  const end = index.indexOf(0, dropped.next)
  if (end < 0) return null
  const kept = name.subarray(0, name.length - dropped.value)
  const own = index.subarray(dropped.next, end)
  const next = isShared ? end + 1 : at + Math.ceil((end - at + 1) / 8) * 8
  return { name: Buffer.concat([kept, own]), next }
}

/** A number as git writes offsets: seven bits a byte, and one more for each byte that follows. */
function varint(bytes: Buffer, from: number): { value: number; next: number } | null {
  let value = 0
  for (let at = from; at < Math.min(bytes.length, from + 5); at++) {
    const byte = bytes[at] ?? 0
    value = (value << 7) | (byte & 0x7f)
    if ((byte & 0x80) === 0) return { value, next: at + 1 }
    value += 1
  }
  return null
}
