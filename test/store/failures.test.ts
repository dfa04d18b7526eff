import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/server/store/database.ts'
import { migrate } from '../../src/server/store/migrations.ts'
import { schema } from '../../src/server/store/schema.ts'
import { createSqliteStore, openSqliteStore } from '../../src/server/store/sqlite.ts'
import type { EventStore } from '../../src/server/store/store.ts'
import { log, said, start } from './events.ts'
import { useTempFolder } from './temp-folder.ts'

const folder = useTempFolder()
const one = 'session-1'
const all = { limit: 100_000 }
const big = 'x'.repeat(1_000_000)

const failure = (code: string, message = expect.any(String)) =>
  expect.objectContaining({ name: 'StoreError', code, message })

/** A batch that brings something of every kind. */
const fullBatch = (seq: number, text: string) => ({
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

async function failsAndRecovers(store: EventStore, makeRoom: () => void): Promise<void> {
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

function isIntact(file: string): void {
  const database = openDatabase({ file })
  expect(database.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
  database.close()
}

describe('when the world fails', () => {
  test('[STORE25] a full database refuses an append as disk_full, keeps nothing of it, and works again with room', async () => {
    const file = join(folder(), 'pages.db')
    const database = openDatabase({ file })
    migrate(database, schema)
    const store = createSqliteStore(database)
    database.exec('PRAGMA max_page_count = 60')
    await failsAndRecovers(store, () => database.exec('PRAGMA max_page_count = 1000000'))
    await store.close()
    isIntact(file)
  })

  test.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
    '[STORE26] a full disk refuses an append as disk_full, keeps nothing of it, and works again with room',
    async () => {
      const disk = join(folder(), 'disk')
      mkdirSync(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk])
      try {
        const file = join(disk, 'tandem.db')
        const filler = join(disk, 'filler')
        const store = openSqliteStore({ file })
        writeFileSync(filler, 'x'.repeat(3_500_000))
        await failsAndRecovers(store, () => rmSync(filler))
        await store.close()
        isIntact(file)
      } finally {
        // Lazily: the driver keeps the file open until its statements are collected.
        execFileSync('umount', ['--lazy', disk])
      }
    },
  )

  test('[STORE27] a database locked by another process is store_busy after the timeout, and free again after it', async () => {
    const file = join(folder(), 'busy.db')
    const store = openSqliteStore({ file, busyTimeoutMs: 50 })
    await store.append(one, 0, { events: log(3) })
    const other = openDatabase({ file })
    other.exec('BEGIN IMMEDIATE')
    const began = performance.now()
    await expect(store.append(one, 3, fullBatch(4, 'x'))).rejects.toEqual(failure('store_busy'))
    expect(performance.now() - began).toBeGreaterThanOrEqual(45)
    await expect(store.saveDraft(one, { step: 3, text: 'x' })).rejects.toEqual(
      failure('store_busy'),
    )
    expect(await store.read(one, all)).toEqual(log(3))
    other.exec('ROLLBACK')
    other.close()
    expect(await store.append(one, 3, fullBatch(4, 'x'))).toEqual({ outcome: 'stored' })
    await store.close()
  })

  test.each([
    ['no JSON', "UPDATE events SET body = '{' WHERE seq = 2"],
    ['no event', `UPDATE events SET body = '{"v":1}' WHERE seq = 2`],
    [
      'another place',
      'UPDATE events SET body = (SELECT body FROM events WHERE seq = 3) WHERE seq = 2',
    ],
    ['missing', 'DELETE FROM events WHERE seq = 2'],
  ])(
    '[STORE28] an event that cannot be read is an error naming session and seq, not a gap: %s',
    async (name, sql) => {
      const file = join(folder(), `corrupt-${name}.db`)
      const store = openSqliteStore({ file })
      await store.append(one, 0, { events: log(4) })
      const database = openDatabase({ file })
      database.exec(sql)
      database.close()
      const corrupt = failure('corrupt_event', expect.stringContaining(`event 2 of session ${one}`))
      await expect(store.read(one, all)).rejects.toEqual(corrupt)
      await expect(store.read(one, { before: 3, limit: 1 })).rejects.toEqual(corrupt)
      expect(await store.read(one, { after: 2, limit: 2 })).toEqual(log(4).slice(2))
      await store.close()
    },
  )

  test('[STORE29] a lost last event is noticed too', async () => {
    const file = join(folder(), 'tail.db')
    const store = openSqliteStore({ file })
    await store.append(one, 0, { events: log(4) })
    const database = openDatabase({ file })
    database.exec('DELETE FROM events WHERE seq = 4')
    database.close()
    await expect(store.read(one, all)).rejects.toEqual(failure('corrupt_event'))
    await store.close()
  })

  test('[STORE30] a file that is no database is refused and left alone', () => {
    const file = join(folder(), 'text.db')
    writeFileSync(file, 'my thesis\n'.repeat(1_000))
    expect(() => openSqliteStore({ file })).toThrow(failure('store_failed'))
    expect(execFileSync('head', ['-n', '1', file], { encoding: 'utf8' })).toBe('my thesis\n')
    expect(existsSync(`${file}.backup`)).toBe(false)
  })

  test('[STORE38] a file that is damaged, or cannot be opened, is told with what to do', () => {
    const file = join(folder(), 'damaged.db')
    writeFileSync(file, 'my thesis\n'.repeat(1_000))
    const moved = expect.stringMatching(/Put a backup in its place, or move it away/)
    expect(() => openSqliteStore({ file })).toThrow(failure('store_failed', moved))
    mkdirSync(join(folder(), 'folder.db'))
    const elsewhere = expect.stringMatching(/TANDEM_HOME may name another/)
    expect(() => openSqliteStore({ file: join(folder(), 'folder.db') })).toThrow(
      failure('store_failed', elsewhere),
    )
  })

  test('[STORE31] a closed store rejects instead of throwing, and closes twice', async () => {
    const store = openSqliteStore({ file: join(folder(), 'closed.db') })
    await store.close()
    await store.close()
    const appended = store.append(one, 0, { events: [start()] })
    await expect(appended).rejects.toEqual(failure('store_failed'))
    await expect(store.list({ limit: 1 })).rejects.toEqual(failure('store_failed'))
  })
})
