import { expect } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '../../src/server/store/database.ts'
import type { EventStore } from '../../src/server/store/store.ts'
import { log, said } from './events.ts'

export const one = 'session-1'
export const all = { limit: 100_000 }
export const big = 'x'.repeat(1_000_000)

export const failure = (code: string, message = expect.any(String)) =>
  expect.objectContaining({ name: 'StoreError', code, message })

/** A batch that brings something of every kind. */
export const fullBatch = (seq: number, text: string) => ({
  events: [said(seq, 'small'), said(seq + 1, text)],
  key: `k${seq}`,
  snapshot: { seq, foldVersion: 1, state: '{}' },
  clearDraft: true,
})

async function everything(store: EventStore) {
  return {
    events: await store.read(one, all),
    summary: await store.summary(one),
    key: await store.findKey(one, 'k4'),
    snapshot: await store.snapshot(one),
    draft: await store.draft(one),
  }
}

export async function failsAndRecovers(store: EventStore, makeRoom: () => void): Promise<void> {
  await store.append(one, 0, { events: log(3) })
  await store.saveDraft(one, { step: 3, text: 'so far' })
  const before = await everything(store)
  for (let round = 0; round < 3; round += 1) {
    await expect(store.append(one, 3, fullBatch(4, big))).rejects.toEqual(failure('disk_full'))
    expect(await everything(store)).toEqual(before)
  }
  makeRoom()
  expect(await store.append(one, 3, fullBatch(4, big))).toEqual({ outcome: 'stored' })
  expect(await store.summary(one)).toMatchObject({ head: 5 })
  expect(await store.draft(one)).toBeNull()
}

export function isIntact(file: string): void {
  const database = openDatabase({ file })
  expect(database.get(z.unknown(), 'PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
  database.close()
}
