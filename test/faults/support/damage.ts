import {
  closeSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  truncateSync,
  watch,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { openDatabase } from '../../../src/server/store/database.ts'

const Page = z.object({ pageno: z.number() })
const pageBytes = 4_096

/** Folds the log of changes into the file, so that its pages are all there is. */
export function settle(file: string): void {
  const database = openDatabase({ file })
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

/** The numbers of the pages of a table or an index, the leaves first. */
export function pagesOf(file: string, name: string): readonly number[] {
  const database = openDatabase({ file })
  const pages = database.all(
    Page,
    "SELECT pageno FROM dbstat WHERE name = :name ORDER BY pagetype = 'internal', pageno",
    { name },
  )
  database.close()
  return pages.map(({ pageno }) => pageno)
}

/** Flips every bit of some bytes of a page, in the file itself. */
export function flip(file: string, page: number, { at = 0, length = 64 } = {}): void {
  const descriptor = openSync(file, 'r+')
  const place = (page - 1) * pageBytes + at
  const bytes = Buffer.alloc(length)
  readSync(descriptor, bytes, 0, length, place)
  writeSync(descriptor, Buffer.from(bytes.map((byte) => byte ^ 0xff)), 0, length, place)
  closeSync(descriptor)
}

/** Makes the first byte of this text another one, in the file itself. */
export function spoil(file: string, text: string): void {
  const at = readFileSync(file).indexOf(text)
  if (at < 0) throw new Error(`${text} is not in ${file}`)
  flip(file, 1, { at, length: 1 })
}

export const cutWal = (home: string, bytes: number): void =>
  truncateSync(join(home, 'tandem.db-wal'), bytes)
export const walBytes = (home: string): number => statSync(join(home, 'tandem.db-wal')).size

const Checked = z.object({
  message: z.string(),
  isSound: z.boolean(),
  problems: z.array(z.string()),
  damaged: z.array(z.string()),
  lost: z.array(z.string()),
})

/** The findings of the n-th check after an unclean end, once they are written down. */
export function checked(home: string, n = 1): Promise<z.infer<typeof Checked>> {
  const file = join(home, 'diagnostics.jsonl')
  const found = () => {
    const lines = readFileSync(file, 'utf8').split('\n')
    const failed = lines.find((line) => line.includes('could not be checked'))
    if (failed !== undefined) throw new Error(failed)
    return lines
      .filter((line) => line.includes('the log was checked'))
      .map((line) => Checked.parse(JSON.parse(line)))[n - 1]
  }
  return new Promise((resolve, reject) => {
    const look = () => {
      try {
        const there = found()
        if (there === undefined) return
        resolve(there)
      } catch (error) {
        reject(error)
      }
      watcher.close()
    }
    const watcher = watch(home, look)
    look()
  })
}
