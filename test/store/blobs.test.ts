import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/server/store/memory.ts'
import { openSqliteStore } from '../../src/server/store/sqlite.ts'
import { describeBlobs } from '../contract/blobs.ts'
import { log } from './events.ts'
import { useTempFolder } from './temp-folder.ts'

const folder = useTempFolder()
let count = 0

describeBlobs('memory', createMemoryStore)
describeBlobs('SQLite', () => openSqliteStore({ file: join(folder(), `${count++}.db`) }))

test('[BLOB1] a blob is there after a restart, and its bytes are gone from the file with its session', async () => {
  const file = join(folder(), 'kept.db')
  const bytes = Buffer.from('correct horse battery staple'.repeat(1_000))
  const first = openSqliteStore({ file })
  await first.append('one', 0, { events: log(1) })
  const hash = await first.saveBlob('one', { bytes, mediaType: 'image/png' })
  await first.close()
  expect(readFileSync(file).includes('battery staple')).toBe(true)
  const second = openSqliteStore({ file })
  expect((await second.blob('one', hash))?.bytes.equals(bytes)).toBe(true)
  await second.remove('one')
  await second.close()
  expect(readFileSync(file).includes('battery staple')).toBe(false)
})
