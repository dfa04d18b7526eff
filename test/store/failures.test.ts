import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/server/store/database.ts'
import { schema, migrate } from '../../src/server/store/schema.ts'
import { createSqliteStore, openSqliteStore } from '../../src/server/store/sqlite.ts'
import { log, start } from './events.ts'
import { all, failsAndRecovers, failure, fullBatch, isIntact, one } from './full.ts'
import { useTempFolder } from './temp-folder.ts'

const folder = useTempFolder()

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

  test('[STORE25] a database locked by another process is store_busy after the timeout, and free again after it', async () => {
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

  test('[STORE28] a lost last event is noticed too', async () => {
    const file = join(folder(), 'tail.db')
    const store = openSqliteStore({ file })
    await store.append(one, 0, { events: log(4) })
    const database = openDatabase({ file })
    database.exec('DELETE FROM events WHERE seq = 4')
    database.close()
    await expect(store.read(one, all)).rejects.toEqual(failure('corrupt_event'))
    await store.close()
  })

  test('[STORE19] a file that is no database is refused and left alone', () => {
    const file = join(folder(), 'text.db')
    writeFileSync(file, 'my thesis\n'.repeat(1_000))
    expect(() => openSqliteStore({ file })).toThrow(failure('damaged'))
    expect(execFileSync('head', ['-n', '1', file], { encoding: 'utf8' })).toBe('my thesis\n')
    expect(existsSync(`${file}.backup`)).toBe(false)
  })

  test('[STORE19] a file that is damaged, or cannot be opened, is told with what to do', () => {
    const file = join(folder(), 'damaged.db')
    writeFileSync(file, 'my thesis\n'.repeat(1_000))
    const moved = expect.stringMatching(/Put a backup in its place, or move it away/)
    expect(() => openSqliteStore({ file })).toThrow(failure('damaged', moved))
    mkdirSync(join(folder(), 'folder.db'))
    const elsewhere = expect.stringMatching(/TANDEM_HOME may name another/)
    expect(() => openSqliteStore({ file: join(folder(), 'folder.db') })).toThrow(
      failure('store_failed', elsewhere),
    )
  })

  test('[STORE36] a closed store rejects instead of throwing, and closes twice', async () => {
    const store = openSqliteStore({ file: join(folder(), 'closed.db') })
    await store.close()
    await store.close()
    const appended = store.append(one, 0, { events: [start()] })
    await expect(appended).rejects.toEqual(failure('store_failed'))
    await expect(store.list({ limit: 1 })).rejects.toEqual(failure('store_failed'))
  })
})
