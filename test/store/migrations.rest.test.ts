import { copyFileSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Database, openDatabase } from '../../src/server/store/database.ts'
import { schema, migrate } from '../../src/server/store/schema.ts'
import { openSqliteStore } from '../../src/server/store/sqlite.ts'
import { bundleChildren } from './children/bundle.ts'
import { startChild } from './children/child.ts'
import { log } from './events.ts'
import { futureSchema, places } from './future-schema.ts'
import { createRandom } from './random.ts'
import { useTempFolder } from './temp-folder.ts'

const folder = useTempFolder()
const length = 3_000
let child: (name: string) => string
let old: string

beforeAll(async () => {
  child = await bundleChildren(folder())
  old = join(folder(), 'old.db')
  const store = openSqliteStore({ file: old })
  await store.append('session-1', 0, { events: log(length), key: 'k' })
  await store.close()
})

const copyOld = (name: string): string => {
  const file = join(folder(), name)
  copyFileSync(old, file)
  return file
}

/** Everything that tells the old schema from the new one. */
function shape(database: Database) {
  return {
    version: database.get(z.unknown(), 'PRAGMA user_version'),
    tables: database.all(
      z.unknown(),
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
    ),
    columns: database.all(z.unknown(), "SELECT name FROM pragma_table_info('events')"),
    sessions: database.all(z.unknown(), "SELECT name FROM pragma_table_info('sessions')"),
    events: database.get(z.unknown(), 'SELECT count(*) AS count FROM events'),
    integrity: database.get(z.unknown(), 'PRAGMA integrity_check'),
  }
}

function shapeOf(file: string) {
  const database = openDatabase({ file })
  try {
    return shape(database)
  } finally {
    database.close()
  }
}

function migrated(file: string) {
  const database = openDatabase({ file })
  try {
    migrate(
      database,
      futureSchema(() => undefined),
    )
    return shape(database)
  } finally {
    database.close()
  }
}

describe('migrations', () => {
  test('[STORE16] pending steps run in order, keep every row, and the old database stays as a private backup', () => {
    const file = copyOld('steps.db')
    const before = shapeOf(file)
    const after = migrated(file)
    expect(after).toMatchObject({
      version: { user_version: schema.length + 2 },
      events: { count: length },
      integrity: { integrity_check: 'ok' },
    })
    expect(after.columns).toContainEqual({ name: 'bytes' })
    expect(statSync(`${file}.backup`).mode & 0o777).toBe(0o600)
    expect(existsSync(`${file}.backup.new`)).toBe(false)
    expect(shapeOf(`${file}.backup`)).toEqual(before)
  })

  test('[STORE16] only the last backup is kept, and a fresh or current database needs none', () => {
    const fresh = join(folder(), 'fresh.db')
    migrated(fresh)
    migrated(fresh)
    expect(existsSync(`${fresh}.backup`)).toBe(false)

    const file = copyOld('twice.db')
    const future = futureSchema(() => undefined)
    const database = openDatabase({ file })
    migrate(database, future.slice(0, -1))
    migrate(database, future)
    database.close()
    expect(shapeOf(`${file}.backup`).version).toEqual({ user_version: schema.length + 1 })
  })

  test('[STORE16] a step that fails or leaves orphans changes nothing', () => {
    const file = copyOld('fails.db')
    const before = shapeOf(file)
    const database = openDatabase({ file })
    const orphaning = [...schema, (d: Database) => d.exec('DELETE FROM sessions')]
    expect(() => migrate(database, orphaning)).toThrow('orphaned rows')
    const wrong = [...futureSchema(() => undefined), (d: Database) => d.exec('DROP TABLE absent')]
    expect(() => migrate(database, wrong)).toThrow('no such table')
    expect(shape(database)).toEqual(before)
    expect(database.get(z.unknown(), 'PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 })
    database.close()
  })

  test('[STORE19] a newer schema is refused with a sentence and left as it is', () => {
    const file = copyOld('newer.db')
    migrated(file)
    const before = shapeOf(file)
    expect(() => openSqliteStore({ file })).toThrow(
      expect.objectContaining({
        name: 'StoreError',
        code: 'newer_schema',
        message: expect.stringMatching(/written by a newer Tandem .* Upgrade Tandem/),
      }),
    )
    expect(shapeOf(file)).toEqual(before)
  })

  test.each(places)(
    '[STORE16] a migration killed in a step leaves the old schema, and the next start finishes it: %s',
    async (place) => {
      const file = copyOld(`kill-${place}.db`)
      const before = shapeOf(file)
      const process = startChild(child('migrate'), [file, place])
      await process.wrote(2)
      process.kill()
      const { lines, signal, errors } = await process.gone
      expect({ lines, signal, errors }).toEqual({
        lines: ['open', place],
        signal: 'SIGKILL',
        errors: '',
      })
      expect(shapeOf(file)).toEqual(before)
      expect(shapeOf(`${file}.backup`)).toEqual(before)
      expect(migrated(file).version).toEqual({ user_version: schema.length + 2 })
    },
  )

  test('[STORE16] a migration killed at any time leaves the old or the new schema, never a mixture', async () => {
    const random = createRandom('migrations')
    const before = shapeOf(old)
    const after = migrated(copyOld('whole.db'))
    const run = startChild(child('migrate'), [copyOld('timed.db'), 'none'])
    await run.wrote(1)
    const openAt = performance.now()
    await run.gone
    const duration = performance.now() - openAt
    let stillOld = 0
    for (let round = 0; round < 20; round += 1) {
      const file = copyOld(`any-${round}.db`)
      const running = startChild(child('migrate'), [file, 'none'])
      await running.wrote(1)
      const timer = setTimeout(() => running.kill(), random.below(duration))
      await running.gone
      clearTimeout(timer)
      const left = shapeOf(file)
      expect([before, after], `round ${round}, ${random.seed}`).toContainEqual(left)
      if (left.columns.length === before.columns.length) stillOld += 1
      expect(migrated(file), `round ${round}, ${random.seed}`).toEqual(after)
    }
    process.stdout.write(`migrations: 20 kills, ${stillOld} left the old schema\n`)
  })
})
