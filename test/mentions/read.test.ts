import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { limits } from '../../src/protocol/limits.ts'
import type { FileRead } from '../../src/protocol/events/call.ts'
import { readMentioned } from '../../src/server/mentions/read.ts'
import { useTempFolder } from '../store/temp-folder.ts'

const folder = useTempFolder()
let workspace = ''
let count = 0

beforeEach(() => {
  workspace = join(realpathSync(folder()), `case-${count++}`)
  mkdirSync(workspace)
})

const at = (path: string) => join(workspace, path)
const noPictures = {
  images: [],
  kept: async () => ({ count: 0, bytes: 0 }),
  saveBlob: async () => Promise.reject(new Error('no picture was expected')),
}

function read(path: string, change: Partial<FileRead> = {}) {
  const asked = { path, file: at(path), kind: 'file' as const, lines: null, ...change }
  return readMentioned(asked, { workspace, ...noPictures })
}

async function textOf(path: string, bytes: string | Buffer, lines: FileRead['lines'] = null) {
  writeFileSync(at(path), bytes)
  const { status, content, inContext } = await read(path, { lines })
  expect(inContext).toBe(true)
  return { status, content }
}

test('[AT25] a file’s record is one line that names it, then its text as it is', async () => {
  expect(await textOf('a.ts', 'one\r\ntwo\n')).toEqual({
    status: 'done',
    content: '@a.ts (2 lines)\none\r\ntwo\n',
  })
  expect((await textOf('b', 'x')).content).toBe('@b (1 line)\nx')
  expect((await textOf('empty', '')).content).toBe('@empty (empty)')
})

test('[AT11] lines that are named are read, and lines that are not there are said to be missing', async () => {
  const text = Array.from({ length: 340 }, (_, index) => `line ${index + 1}\n`).join('')
  expect((await textOf('a', text, { from: 2, to: 3 })).content).toBe(
    '@a (lines 2–3 of 340)\nline 2\nline 3\n',
  )
  expect((await textOf('a', text, { from: 9, to: 9 })).content).toBe('@a (line 9 of 340)\nline 9\n')
  expect((await textOf('a', text, { from: 340, to: 500 })).content).toBe(
    '@a (line 340 of 340; there is no line 500)\nline 340\n',
  )
  expect(await textOf('a', text, { from: 400, to: 500 })).toEqual({
    status: 'error',
    content: '@a (340 lines; there is no line 400)',
  })
})

test('[AT11] a long file is cut to its limit with exact counts, in the header and in the middle', async () => {
  const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index + 1}\n`)
  const { content } = await textOf('long', lines.join(''))
  const { length } = lines.join('')
  expect(content.startsWith(`@long (3000 lines, ${length} characters)\nline 1\n`)).toBe(true)
  expect(content).toMatch(/\n\[… \d+ lines \(\d+ characters\) left out …\]\n/)
  expect(content.endsWith('line 3000\n')).toBe(true)
  expect(content.length).toBeLessThanOrEqual(limits.mentionChars + 100)
})

test('[AT25] text in UTF-16 and with a byte order mark is decoded, and said to be so', async () => {
  const utf16 = Buffer.from('\ufeffgrün\r\n', 'utf16le')
  expect((await textOf('le', utf16)).content).toBe(
    '@le (1 line; UTF-16; with a byte order mark)\ngrün\r\n',
  )
  expect((await textOf('be', Buffer.from(utf16).swap16())).content).toContain('grün\r\n')
  expect((await textOf('mark', '\ufeffx')).content).toBe(
    '@mark (1 line; with a byte order mark)\nx',
  )
  expect((await textOf('latin', Buffer.from('grün', 'latin1'))).content).toBe(
    '@latin (1 line; 1 character that cannot be read shown as \ufffd)\ngr\ufffdn',
  )
  const split = 'ü'.repeat(40_000)
  expect((await textOf('split', split)).content).not.toContain('\ufffd')
})

test('[AT25] what is no text is named with its kind and size, never shown', async () => {
  const cases: readonly (readonly [string | Buffer, string])[] = [
    ['%PDF-1.7 text', 'a PDF document; 13 bytes'],
    ['PK\x03\x04 text', 'a ZIP archive, or a document that is one; 9 bytes'],
    [Buffer.from([1, 2, 0, 3]), 'data of an unknown kind; 4 bytes'],
    [Buffer.alloc(300, 0xf7), 'data of an unknown kind; 300 bytes'],
    [`${'text\n'.repeat(10_000)}\0`, 'data of an unknown kind; 50001 bytes'],
  ]
  for (const [bytes, named] of cases)
    expect(await textOf('data', bytes)).toEqual({
      status: 'done',
      content: `@data (${named}; not text, so it is only named)`,
    })
})

test('[AT11] a huge file is read up to a bound only, and its record says so', async () => {
  writeFileSync(at('sparse'), '')
  truncateSync(at('sparse'), 100 * 1024 * 1024)
  expect((await read('sparse')).content).toContain('data of an unknown kind; 104857600 bytes')
  writeFileSync(at('log'), '')
  const piece = `${'x'.repeat(99)}\n`.repeat(10_000)
  for (let size = 0; size < limits.mentionBytes + 1_000_000; size += piece.length)
    appendFileSync(at('log'), piece)
  const before = process.memoryUsage().arrayBuffers
  const { content } = await read('log')
  expect(content).toMatch(
    /^@log \(more than 33554\d lines, 33554432 characters; only its first 33554432 bytes of 35000000 were read\)/,
  )
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(limits.mentionBytes / 2)
  const late = await read('log', { lines: { from: 340_000, to: 340_001 } })
  expect(late).toMatchObject({ status: 'error' })
  expect(late.content).toContain('line 340000 was not reached')
})

test('[AT11] a file of one endless line shows its beginning and counts the rest', async () => {
  const { content } = await textOf('min.js', 'a'.repeat(5_000_000))
  expect(content).toBe(
    `@min.js (1 line, 5000000 characters)\n${'a'.repeat(2_000)} [… 4998000 characters left out …]`,
  )
})

test('[AT25] a file that may not be read, or is gone, is said to be so', async () => {
  writeFileSync(at('locked'), 'secret')
  chmodSync(at('locked'), 0o000)
  chmodSync(workspace, 0o755)
  const user = process.geteuid?.()
  // Root may read everything.
  if (user === 0) chmodSync(folder(), 0o755)
  if (user === 0) process.seteuid?.(65_534)
  try {
    expect(await read('locked')).toEqual({
      status: 'error',
      content: '@locked (not read: you may not read it)',
      inContext: true,
    })
  } finally {
    if (user === 0) process.seteuid?.(0)
  }
  expect((await read('gone')).content).toBe('@gone (not read: it is not there any more)')
})

test('[AT10] what was swapped after it was named is not read: a link, a folder on the way, a pipe', async () => {
  mkdirSync(at('dir'))
  mkdirSync(at('other'))
  for (const path of ['a', 'dir/a', 'other/a', 'secret']) writeFileSync(at(path), 'TOP SECRET')
  rmSync(at('a'))
  symlinkSync('secret', at('a'))
  renameSync(at('dir'), at('old'))
  symlinkSync('other', at('dir'))
  execFileSync('mkfifo', [at('pipe')])
  mkdirSync(at('now-a-folder'))
  for (const path of ['a', 'dir/a', 'pipe', 'now-a-folder']) {
    const { status, content } = await read(path)
    expect(status).toBe('error')
    expect(content).toContain('not the file any more')
    expect(content).not.toContain('SECRET')
  }
  const listed = await read('dir/', { file: at('dir'), kind: 'folder' })
  expect(listed.content).toBe('@dir/ (not read: it is not the folder any more that was named)')
})

test('[AT25] a file that an ignore file names is read when it is named itself, and said to be so', async () => {
  writeFileSync(at('.gitignore'), 'build/\n*.log\n')
  for (const path of ['build', 'src/[id]', 'src/-x']) mkdirSync(at(path), { recursive: true })
  const ignored = ['build/x[1].js', 'a.log', 'src/[id]/ü.log', 'src/-x/-y.log']
  const others = ['a.ts', 'src/[id]/ü.ts', 'src/-x/-y.ts', 'src/a b.ts', '.hidden', '!x']
  for (const path of [...ignored, ...others]) writeFileSync(at(path), 'x')
  for (const path of ignored)
    expect((await read(path)).content).toBe(`@${path} (1 line; an ignore file names it)\nx`)
  for (const path of others) expect((await read(path)).content).toBe(`@${path} (1 line)\nx`)
})
