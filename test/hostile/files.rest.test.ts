// takes: 81 s
import { afterAll, beforeAll, test } from 'vitest'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { fileRows, spoilers, write } from './file-rows.ts'
import { startOn } from './spoil-file.ts'

let folder: DataFolder

beforeAll(async () => {
  folder = await openDataFolder()
})

afterAll(() => folder.remove())

const all = Object.entries(fileRows).flatMap(([file, row]) => [
  ...Object.entries(spoilers).map(([how, spoil]) => [`${file}, ${how}`, { row, spoil }] as const),
  ...(row.wrong ?? []).map(
    (text) => [`${file}, ${text}`, { row, spoil: (path: string) => write(path, text) }] as const,
  ),
])

/** Each row starts a server: CI takes some from everywhere in the table, `npm run long` all of them. */
const wanted = Number(process.env['TANDEM_FILES'] ?? 60)
const step = Math.max(1, Math.floor(all.length / wanted))
const rows = all.filter((_, at) => at % step === 0)

test.each(rows)('[BAD7] %s: the server serves, or says which file and what to do', (name, bad) =>
  startOn(folder, bad.row, { name, spoil: bad.spoil }),
)
