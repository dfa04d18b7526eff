import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Database, openDatabase } from '../../src/server/store/database.ts'
import { schema, migrate } from '../../src/server/store/schema.ts'
import { createSqliteStore, openSqliteStore } from '../../src/server/store/sqlite.ts'
import { log, said } from './events.ts'
import { useTempFolder } from './temp-folder.ts'

const folder = useTempFolder()
const one = 'session-1'
const Detail = z.object({ detail: z.string() })
const modeOf = (path: string): number => statSync(path).mode & 0o777

describe('the database file', () => {
  test('[STORE22] a reopened store has everything', async () => {
    const file = join(folder(), 'reopen.db')
    const snapshot = { seq: 3, foldVersion: 1, state: '{"a":1}' }
    const first = openSqliteStore({ file })
    await first.append(one, 0, { events: log(3), key: 'k', snapshot })
    await first.saveDraft(one, { step: 3, text: 'so far' })
    const summaries = await first.list({ limit: 10 })
    await first.close()
    const second = openSqliteStore({ file })
    expect(await second.read(one, { limit: 10 })).toEqual(log(3))
    expect(await second.list({ limit: 10 })).toEqual(summaries)
    expect(await second.findKey(one, 'k')).toMatchObject({ head: 3 })
    expect(await second.snapshot(one)).toEqual(snapshot)
    expect(await second.draft(one)).toEqual({ step: 3, text: 'so far' })
    expect(await second.append(one, 3, { events: [said(4)] })).toEqual({ outcome: 'stored' })
    await second.close()
  })

  test('[STORE33] a link in the place of the database is refused, and what it leads to is left alone', () => {
    const target = join(folder(), 'target')
    writeFileSync(target, 'of somebody', { mode: 0o644 })
    const link = join(folder(), 'link.db')
    symlinkSync(target, link)
    expect(() => openDatabase({ file: link })).toThrow(/is a link, or no file\. Move it away\./)
    expect(statSync(target).mode & 0o777).toBe(0o644)
    expect(readFileSync(target, 'utf8')).toBe('of somebody')
  })

  test('[STORE33] only its owner can read the database, its side files and the folder made for it', async () => {
    const data = join(folder(), 'new', 'data')
    const file = join(data, 'tandem.db')
    const store = openSqliteStore({ file })
    await store.append(one, 0, { events: log(3) })
    expect([data, file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual([
      0o700, 0o600, 0o600, 0o600,
    ])
    await store.close()
    chmodSync(file, 0o644)
    await openSqliteStore({ file }).close()
    expect(modeOf(file)).toBe(0o600)
  })

  test('[STORE36] closing folds the write-ahead log into the file', async () => {
    const file = join(folder(), 'close.db')
    const store = openSqliteStore({ file })
    await store.append(one, 0, { events: log(3) })
    await store.read(one, { limit: 2 })
    const unfolded = () => (existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0)
    expect(unfolded()).toBeGreaterThan(0)
    await store.close()
    expect(unfolded()).toBe(0)
  })

  test('[STORE12] the bytes of a removed session are gone from the file', async () => {
    const file = join(folder(), 'remove.db')
    const store = openSqliteStore({ file })
    await store.append(one, 0, { events: [...log(3), said(4, 'correct horse battery staple')] })
    await store.remove(one)
    await store.close()
    expect(readFileSync(file).includes('battery staple')).toBe(false)
  })

  test('[STORE36] the database has a write-ahead log, syncs every commit and waits five seconds for a lock', () => {
    const database = openDatabase({ file: join(folder(), 'pragmas.db') })
    expect(database.get(z.unknown(), 'PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' })
    expect(database.get(z.unknown(), 'PRAGMA synchronous')).toEqual({ synchronous: 2 })
    expect(database.get(z.unknown(), 'PRAGMA busy_timeout')).toEqual({ timeout: 5_000 })
    database.close()
  })

  test('[STORE36] no statement of an append, a draft or a page of the log scans a table', async () => {
    const database = openDatabase({ file: join(folder(), 'plan.db') })
    migrate(database, schema)
    const seen = new Set<string>()
    const note = (sql: string): string => {
      seen.add(sql)
      return sql
    }
    const noting: Database = {
      ...database,
      run: (sql, params) => database.run(note(sql), params),
      get: (schema, sql, params) => database.get(schema, note(sql), params),
      all: (schema, sql, params) => database.all(schema, note(sql), params),
    }
    const store = createSqliteStore(noting)
    const snapshot = { seq: 1, foldVersion: 1, state: '{}' }
    await store.append(one, 0, { events: log(2), key: 'a', snapshot, clearDraft: true })
    await store.append(one, 2, { events: [said(3)], key: 'b', snapshot, clearDraft: true })
    await store.saveDraft(one, { step: 1, text: 'x' })
    await store.read(one, { before: 3, limit: 1 })
    const plan = [...seen].flatMap((sql) => database.all(Detail, `EXPLAIN QUERY PLAN ${sql}`))
    const details = plan.map(({ detail }) => detail)
    expect(seen.size).toBe(10)
    expect(details.filter((detail) => detail.startsWith('SEARCH')).length).toBeGreaterThanOrEqual(5)
    expect(details.filter((detail) => detail.startsWith('SCAN'))).toEqual([])
    await store.close()
  })
})
