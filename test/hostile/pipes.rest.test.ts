// takes: 30 s
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { fileRows, spoilers } from './file-rows.ts'
import { startOn } from './spoil-file.ts'

let folder: DataFolder

beforeAll(async () => {
  folder = await openDataFolder()
})

afterAll(() => folder.remove())

test('[BAD7] every file of a data folder that was in use has its row', () => {
  const known = Object.values(fileRows).flatMap(({ pattern }) => pattern ?? [])
  const strange = folder.files.filter((file) => !known.some((pattern) => pattern.test(file)))
  expect(strange).toEqual([])
})

test('[BAD7] every file that is opened in the data folder, the home or the project has its row', () => {
  const known = Object.values(fileRows).flatMap((row) => [row.path(folder), row.pattern ?? []])
  const isKnown = (file: string) =>
    known
      .flat()
      .some((each) =>
        typeof each === 'string' ? each === file : each.test(file.replace(/^tandem\//, '')),
      )
  /** The folder itself is synced; secrets are written under names that nobody can guess, a run's file in its new folder. */
  const isNobodys = (file: string) =>
    file === 'tandem' || /\.[\w-]{12}$|\/one-shot\/[^/]+\/process\.json\.new$/.test(file)
  const strange = new Set(folder.opened.filter((file) => !isKnown(file) && !isNobodys(file)))
  expect(folder.opened.length).toBeGreaterThan(20)
  expect([...strange].sort()).toEqual([])
})

const pipe = spoilers['a FIFO'] ?? expect.fail

test.each(Object.entries(fileRows))('[BAD7] %s that is a pipe holds nobody up', (name, row) =>
  startOn(folder, row, { name: `${name}, a FIFO`, spoil: pipe }),
)
