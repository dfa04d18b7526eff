import { writeSync } from 'node:fs'
import { openSqliteStore } from '../../../src/server/store/sqlite.ts'
import { said, start } from '../events.ts'

/**
 * Appends for ever and writes `key head outcome` after each append that resolved. Keys are `<round>.<n>`; each
 * event's text is `key/index/size`, so that a reader can tell a lost, cut or doubled append. It begins
 * with the key that the killed one before it may or may not have stored, as a client would.
 */
const [file = '', session = '', round = '', retry = ''] = process.argv.slice(2)
const store = openSqliteStore({ file })
let head = (await store.summary(session))?.head ?? 0

async function append(key: string): Promise<void> {
  const size = 1 + (head % 4)
  const events = Array.from({ length: size }, (_, index) => {
    const seq = head + 1 + index
    return seq === 1 ? start() : said(seq, `${key}/${index}/${size}`)
  })
  const appended = await store.append(session, head, {
    events,
    key,
    snapshot: { seq: head + size, foldVersion: 1, state: JSON.stringify({ head: head + size }) },
    clearDraft: true,
  })
  if (appended.outcome === 'conflict') throw new Error(`conflict at ${appended.head}`)
  if (appended.outcome === 'stored') head += size
  const end = appended.outcome === 'stored' ? head : appended.head
  writeSync(1, `${key} ${end} ${appended.outcome}\n`)
}

if (retry) await append(retry)
for (let n = 0; ; n += 1) {
  await append(`${round}.${n}`)
  await store.saveDraft(session, { step: head, text: 'x'.repeat(head % 9_000) })
}
