import type { At } from '../protocol/seq.ts'
import { eachEntry, entryAt, listOf, type EntryList } from './entry-list.ts'
import type { Entry } from './entry.ts'

/** How many entries had begun by a time. Their times follow their order, but for a clock set back. */
export function countUntil(list: EntryList, at: At): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entryAt(list, middle)?.at ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low
}

export function firstEntries(list: EntryList, count: number): EntryList {
  const entries: Entry[] = []
  for (const entry of eachEntry(list)) {
    if (entries.length === count) break
    entries.push(entry)
  }
  return listOf(entries)
}
