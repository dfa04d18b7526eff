import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Event } from '../src/protocol/events/event.ts'
import { openSqliteStore } from '../src/server/store/sqlite.ts'
import type { EventStore } from '../src/server/store/store.ts'
import { log, said } from '../test/store/events.ts'

const session = 'session-1'
const text = 'The quick brown fox jumps over the lazy dog. '.repeat(10)
const appends = 500
const rounds = 5

const batch = (head: number, size: number): Event[] =>
  Array.from({ length: size }, (_, index) => said(head + 1 + index, text))

/** A store whose one session has this many events. */
async function filled(file: string, length: number): Promise<EventStore> {
  const store = openSqliteStore({ file })
  await store.append(session, 0, { events: log(1) })
  for (let head = 1; head < length;) {
    const size = Math.min(1_000, length - head)
    await store.append(session, head, { events: batch(head, size) })
    head += size
  }
  return store
}

/** Microseconds for one append of one event with its key. */
async function costOfAppend(store: EventStore): Promise<number> {
  const began = performance.now()
  let head = (await store.summary(session))?.head ?? 0
  for (let count = 0; count < appends; count += 1) {
    await store.append(session, head, { events: batch(head, 1), key: `key-${head}` })
    head += 1
  }
  return ((performance.now() - began) * 1_000) / appends
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0

async function microsecondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) * 1_000
}

/** What an append costs at the start and far into a log. Rounds alternate, so that load hits both alike. */
export async function benchStore(): Promise<Record<string, number | string>> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
  try {
    const short: number[] = []
    const long: number[] = []
    const store = await filled(join(folder, 'long.db'), 100_000)
    for (let round = 0; round < rounds; round += 1) {
      const fresh = await filled(join(folder, `short-${round}.db`), 100)
      short.push(await costOfAppend(fresh))
      await fresh.close()
      long.push(await costOfAppend(store))
    }
    const page = await microsecondsOf(() => store.read(session, { before: 100_000, limit: 200 }))
    await store.close()
    return {
      'appends/s': Math.round(1_000_000 / median(short)),
      'append at 100 events, µs': Math.round(median(short)),
      'append at 100,000 events, µs': Math.round(median(long)),
      'ratio 100,000 : 100': Number((median(long) / median(short)).toFixed(2)),
      'read the last 200 of 100,000, µs': Math.round(page),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
