import { type Migration, schema } from '../../src/server/store/schema.ts'

/** Every place between the statements of the steps below. */
export const places = ['begun', 'column', 'filled', 'created', 'copied', 'dropped', 'renamed']

/** The real schema and two steps that a later version might bring: a new column, and a table rebuilt. */
export function futureSchema(reach: (place: string) => void): readonly Migration[] {
  const addColumn: Migration = (database) => {
    reach('begun')
    database.exec('ALTER TABLE events ADD COLUMN bytes INTEGER')
    reach('column')
    database.exec('UPDATE events SET bytes = length(body)')
    reach('filled')
  }
  const rebuild: Migration = (database) => {
    database.exec(
      'CREATE TABLE rebuilt (num INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, head INTEGER) STRICT',
    )
    reach('created')
    database.exec('INSERT INTO rebuilt SELECT num, id, head FROM sessions')
    reach('copied')
    database.exec('DROP TABLE sessions')
    reach('dropped')
    database.exec('ALTER TABLE rebuilt RENAME TO sessions')
    reach('renamed')
  }
  return [...schema, addColumn, rebuild]
}
