import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '../../src/server/store/database.ts'
import { schema, migrate } from '../../src/server/store/schema.ts'
import { createSqliteStore, openMigrated, runQuery } from '../../src/server/store/sqlite.ts'
import { lookHere } from '../../src/server/looker/operations.ts'
import { createTeams } from '../../src/server/teams/teams.ts'
import { log, start } from '../store/events.ts'
import { oneShot } from './runs.ts'

function tempFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-upgrade-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'tandem.db')
}

const earlier = schema.slice(0, -1).map((_, index) => index + 1)

test.each(earlier)(
  '[STORE16] a database of schema %i keeps every session, knows their teams and keys, and stays as a backup',
  async (version) => {
    const file = tempFile()
    const old = openDatabase({ file })
    migrate(old, schema.slice(0, version))
    const before = createSqliteStore(old)
    const events = [...log(3), ...oneShot({ seq: 4, n: 1 })]
    await before.append('session-red', 0, { events })
    await before.append('session-blue', 0, { events: [start({ team: 'blue' })] })
    old.exec(`INSERT INTO keys (session, key, head, at) VALUES (1, '"k"', ${events.length}, 1)`)
    if (version > 1) old.exec("INSERT INTO teams (name) VALUES ('red'), ('blue')")
    await before.close()

    const database = openMigrated({ file })
    const store = createSqliteStore(database)
    onTestFinished(() => store.close())
    expect(await store.read('session-red', { limit: 100 })).toEqual(events)
    expect(await store.findKey('session-red', 'k')).toEqual({
      first: null,
      head: events.length,
      body: null,
    })
    const teams = createTeams({ database, home: '/nowhere', clock: () => 0, look: lookHere })
    expect(teams.list()).toEqual(['default', 'blue', 'red'])
    expect(await store.findRun('sh-00000000-0000-4000-8000-000000000001')).toMatchObject({
      session: 'session-red',
      start: { seq: 5 },
      end: { seq: 6 },
    })
    expect(existsSync(`${file}.backup`)).toBe(true)
    expect(statSync(`${file}.backup`).mode & 0o777).toBe(0o600)
    const backup = openDatabase({ file: `${file}.backup` })
    onTestFinished(() => backup.close())
    expect(backup.get(z.unknown(), 'PRAGMA user_version')).toEqual({ user_version: version })
    expect(backup.get(z.unknown(), 'SELECT count(*) AS count FROM events')).toEqual({
      count: events.length + 1,
    })
  },
)

test('[REST1] a run is found by its id through an index, however long the log is', () => {
  const database = openMigrated({ file: tempFile() })
  onTestFinished(() => database.close())
  const plan = database.all(z.unknown(), `EXPLAIN QUERY PLAN ${runQuery}`, { run: 'sh-x' })
  const steps = plan.map((row) => (row as { detail: string }).detail)
  expect(steps[0]).toContain('SEARCH events USING INDEX events_by_run')
  expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([])
})
