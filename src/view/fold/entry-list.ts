import type { Seq } from '../../protocol/events/seq.ts'
import type { Entry } from './entry.ts'

/**
 * An immutable list in order of seq. Changing one entry copies one chunk and the spine, never the
 * whole list: a session of 100,000 entries takes a delta as fast as a short one.
 */
export interface EntryList {
  readonly length: number
  readonly chunks: readonly (readonly Entry[])[]
}

/** Both the chunk and the spine of a long session stay about this short. */
const chunkSize = 256

export const noEntries: EntryList = { length: 0, chunks: [] }

/** The entry's seq must be beyond the last one's. */
export function append(list: EntryList, entry: Entry): EntryList {
  const last = list.chunks.at(-1)
  const chunks =
    last && last.length < chunkSize
      ? [...list.chunks.slice(0, -1), [...last, entry]]
      : [...list.chunks, [entry]]
  return { length: list.length + 1, chunks }
}

/** The same list as if each had been appended. They must be in order. */
export function listOf(entries: readonly Entry[]): EntryList {
  const chunks: Entry[][] = []
  for (let at = 0; at < entries.length; at += chunkSize)
    chunks.push(entries.slice(at, at + chunkSize))
  return { length: entries.length, chunks }
}

export function entryAt(list: EntryList, index: number): Entry | undefined {
  return list.chunks[Math.floor(index / chunkSize)]?.[index % chunkSize]
}

function indexOf(list: EntryList, seq: Seq): number {
  let low = 0
  let high = list.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = entryAt(list, middle)?.seq ?? Infinity
    if (found === seq) return middle
    if (found < seq) low = middle + 1
    else high = middle - 1
  }
  return -1
}

export function findEntry(list: EntryList, seq: Seq): Entry | undefined {
  const index = indexOf(list, seq)
  return index < 0 ? undefined : entryAt(list, index)
}

/** An unknown seq changes nothing: the client joined after it. */
export function change(list: EntryList, seq: Seq, revise: (entry: Entry) => Entry): EntryList {
  const index = indexOf(list, seq)
  const entry = index < 0 ? undefined : entryAt(list, index)
  if (!entry) return list
  const revised = revise(entry)
  if (revised === entry) return list
  const place = Math.floor(index / chunkSize)
  const chunk = list.chunks[place] ?? []
  const chunks = list.chunks.with(place, chunk.with(index % chunkSize, revised))
  return { length: list.length, chunks }
}

/** The lists differ at most in this entry. */
export function isSameBut(seq: Seq, list: EntryList, other: EntryList): boolean {
  return (
    list.length === other.length &&
    list.chunks.every(
      (chunk, at) =>
        chunk === other.chunks[at] ||
        chunk.every((entry, place) => entry.seq === seq || entry === other.chunks[at]?.[place]),
    )
  )
}

export function* eachEntry(list: EntryList): Generator<Entry> {
  for (const chunk of list.chunks) yield* chunk
}
