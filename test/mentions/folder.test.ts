import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { readMentioned, fileTree } from '../../src/server/mentions/read.ts'
import { limits } from '../../src/protocol/limits.ts'
import { listFiles } from '../../src/server/files/ripgrep.ts'
import { useTempFolder } from '../store/temp-folder.ts'

const folder = useTempFolder()
let workspace = ''
let count = 0

beforeEach(() => {
  workspace = join(realpathSync(folder()), `case-${count++}`)
  mkdirSync(workspace)
})

function make(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), '')
  }
}

const list = async () =>
  (
    await readMentioned(
      { path: 'x/', file: workspace, kind: 'folder', lines: null },
      {
        workspace,
        images: [],
        kept: async () => ({ count: 0, bytes: 0 }),
        saveBlob: async () => '',
      },
    )
  ).content

test('[AT35] a folder is shown as a tree, folders first, without what is ignored and git’s own files', async () => {
  make('b.ts', 'a.ts', 'src/z.ts', 'src/deep/y.ts', '.hidden', '.git/HEAD', 'out/x', 'src/x.log')
  writeFileSync(join(workspace, '.gitignore'), 'out/\n')
  writeFileSync(join(workspace, '.ignore'), '*.log\n')
  expect(await list()).toBe(
    [
      '@x/ (a folder: 7 files in 2 folders and itself)',
      'src/',
      '  deep/',
      '    y.ts',
      '  z.ts',
      '.gitignore',
      '.hidden',
      '.ignore',
      'a.ts',
      'b.ts',
    ].join('\n'),
  )
})

test('[AT35] an empty folder, and a name with a line break in it, are told plainly', async () => {
  expect(await list()).toBe('@x/ (a folder without files that are not ignored)')
  make('a\nb')
  expect(await list()).toBe('@x/ (a folder: 1 file)\n"a\\nb"')
})

test('[AT35] of a large folder the upper levels are shown, and every file is counted', async () => {
  make(...Array.from({ length: 700 }, (_, index) => `many/${index}`))
  make('few/a', 'few/deep/er/b', 'top')
  const text = await list()
  const lines = text.split('\n')
  expect(lines[0]).toBe('@x/ (a folder: 703 files in 4 folders and itself)')
  // A small folder does not go short because a large one stands beside it.
  expect(lines.slice(1, 5)).toEqual(['few/', '  deep/ (1 file)', '  a', 'many/'])
  expect(lines.at(-1)).toBe('top')
  const shown = lines.filter((line) => /^ {2}\d+$/.test(line)).length
  expect(text).toContain(`[… ${700 - shown} files more …]`)
  expect(lines.length).toBeLessThanOrEqual(500 + 2)
})

test('[AT35] links are not followed, and a pipe among the files is only a name', async () => {
  make('a/b')
  symlinkSync('..', join(workspace, 'a/up'))
  execFileSync('mkfifo', [join(workspace, 'pipe')])
  expect(await list()).toMatch(/^@x\/ \(a folder: \d files? in 1 folder and itself\)\na\/\n {2}b/)
})

test('[AT35] a listing stops at its limit and when it is told to', async () => {
  make(...Array.from({ length: 50 }, (_, index) => `f${index}`))
  const some = await listFiles(workspace, { limit: 10 })
  expect(some).toMatchObject({ ok: true, value: { isWhole: false } })
  expect(some.ok && some.value.files).toHaveLength(10)
  const all = await listFiles(workspace, { limit: 50 })
  expect(all).toMatchObject({ ok: true, value: { isWhole: true } })
  expect(await listFiles(workspace, { limit: 10, signal: AbortSignal.abort() })).toEqual({
    ok: false,
    error: 'The listing was stopped.',
  })
  const gone = await listFiles(join(workspace, 'gone'), { limit: 10 })
  expect(!gone.ok && gone.error).toContain('cannot be listed')
})

test('[AT35] a listing that an ignore file holds up, as a pipe does, can be stopped', async () => {
  make('a')
  execFileSync('mkfifo', [join(workspace, '.ignore')])
  const controller = new AbortController()
  const listing = listFiles(workspace, { limit: 10, signal: controller.signal })
  controller.abort()
  expect(await listing).toEqual({ ok: false, error: 'The listing was stopped.' })
})

test('[AT35] the paths of a listing have room for so much and no more', async () => {
  // Names as long as can be: few of them are many characters.
  const deep = Array.from({ length: 14 }, () => 'd'.repeat(250)).join('/')
  make(`${deep}/f`)
  const count = Math.ceil(limits.listFilesChars / (deep.length + 200)) + 200
  for (let n = 0; n < count; n += 1)
    writeFileSync(join(workspace, deep, `${n}`.padStart(200, 'f')), '')
  const found = await listFiles(workspace, { limit: 1_000_000 })
  expect(found).toMatchObject({ ok: true, value: { isWhole: false } })
  const files = found.ok ? found.value.files : []
  const chars = files.reduce((sum, file) => sum + file.length, 0)
  expect(chars).toBeGreaterThan(limits.listFilesChars)
  expect(chars).toBeLessThan(limits.listFilesChars + 5_000)
})

test('[AT35] of a folder with more entries than can be shown the rest is counted', () => {
  const files = Array.from({ length: limits.mentionEntries + 7 }, (_, n) => `f${n}`)
  const { text } = fileTree(files, limits.mentionEntries)
  expect(text.split('\n').length).toBeLessThanOrEqual(limits.mentionEntries + 1)
  expect(text).toContain('files more')
})
