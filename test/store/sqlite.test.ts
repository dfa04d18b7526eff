import { join } from 'node:path'
import { openSqliteStore } from '../../src/server/store/sqlite.ts'
import { describeEventStore } from '../contract/event-store.ts'
import { useTempFolder } from './temp-folder.ts'

const folder = useTempFolder()
let count = 0

describeEventStore('SQLite', () => openSqliteStore({ file: join(folder(), `${count++}.db`) }))
