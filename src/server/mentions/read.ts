import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { ok, refused, type Result } from '../../base/result.ts'
import type { FileRead } from '../../protocol/events/call.ts'
import { limits } from '../../protocol/limits.ts'
import type { ImageRef } from '../../protocol/events/message.ts'
import type { EdgeAnswer } from '../commands/edge-answer.ts'
import { isIgnored, listFiles } from '../files/ripgrep.ts'
import { type Pictures, readImage } from './read-image.ts'
import { readText } from './read-text.ts'
import { sniff, sniffBytes } from './sniff.ts'

/**
 * Opens a regular file at a path that was resolved before, and only if it is still there without any
 * link on the way: what was swapped meanwhile is not what somebody agreed to. Never waits for a pipe.
 */
async function openSame(file: string): Promise<Result<FileHandle, string>> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      if (await isStill(file, handle)) return ok(handle)
    } catch (error) {
      await handle.close()
      throw error
    }
    await handle.close()
    return refused('it is not the file any more that was named')
  } catch (error) {
    return refused(whyNot(error))
  }
}

/** The file at the path now, links excluded, has to be the opened one. */
async function isStill(file: string, handle: FileHandle): Promise<boolean> {
  const [opened, named, real] = await Promise.all([handle.stat(), lstat(file), realpath(file)])
  return opened.isFile() && opened.ino === named.ino && opened.dev === named.dev && real === file
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there any more',
  ENOTDIR: 'it is not there any more',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
  ELOOP: 'it is not the file any more that was named',
  // O_NONBLOCK gives this for a socket.
  ENXIO: 'it is not the file any more that was named',
}

/** Why something of the file system could not be read, in words. */
function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  return known ?? (error instanceof Error ? error.message : String(error))
}

export interface ReadOptions extends Pictures {
  workspace: string
}

/** Reads what a prompt names. Nothing of a file is read that is not at the very path any more. */
export async function readMentioned(read: FileRead, options: ReadOptions): Promise<EdgeAnswer> {
  try {
    return read.kind === 'folder' ? await readFolder(read) : await readFile(read, options)
  } catch (error) {
    return failedRead(read, whyNot(error))
  }
}

async function readFile(read: FileRead, options: ReadOptions): Promise<EdgeAnswer> {
  const opened = await openSame(read.file)
  if (!opened.ok) return failedRead(read, opened.error)
  try {
    const [found, ignored] = await Promise.all([
      readOpened(read, opened.value, options),
      isIgnored(options.workspace, read.file),
    ])
    const { facts, text = '', status = 'done', images } = found
    const content = record(read, ignored ? [...facts, 'an ignore file names it'] : facts, text)
    return { status, content, inContext: true, ...(images && { images }) }
  } finally {
    await opened.value.close()
  }
}

interface Found {
  facts: readonly string[]
  text?: string
  status?: 'error'
  images?: readonly ImageRef[]
}

async function readOpened(
  read: FileRead,
  handle: FileHandle,
  options: ReadOptions,
): Promise<Found> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0)
  const sniffed = sniff(buffer.subarray(0, bytesRead))
  if (sniffed.kind === 'image') return readImage(handle, sniffed, options)
  const text = sniffed.kind === 'text' ? await readText(handle, sniffed, read.lines) : null
  if (text) return { ...text, ...(!text.isThere && { status: 'error' }) }
  const label = sniffed.kind === 'data' ? sniffed.label : 'data of an unknown kind'
  const { size } = await handle.stat()
  return { facts: [label, `${size} bytes`, 'not text, so it is only named'] }
}

async function readFolder(read: FileRead): Promise<EdgeAnswer> {
  if ((await realpath(read.file)) !== read.file)
    return failedRead(read, 'it is not the folder any more that was named')
  const listed = await listFiles(read.file, { limit: limits.listedFiles })
  if (!listed.ok) return failedRead(read, listed.error)
  const { files, isWhole } = listed.value
  const { folders, text } = fileTree(files, limits.mentionEntries)
  const below = folders === 0 ? '' : ` in ${folders} folder${folders === 1 ? '' : 's'} and itself`
  const facts =
    files.length === 0
      ? ['a folder without files that are not ignored']
      : [`a folder: ${isWhole ? '' : 'more than '}${filesIn(files.length)}${below}`]
  return { status: 'done', content: record(read, facts, text), inContext: true }
}

function record({ path }: FileRead, facts: readonly string[], text: string): string {
  const header = `@${path.replaceAll(/\p{Cc}/gu, '\ufffd')} (${facts.join('; ')})`
  return text === '' ? header : `${header}\n${text}`
}

export function failedRead(read: FileRead, why: string): EdgeAnswer {
  return { status: 'error', content: record(read, [`not read: ${why}`], ''), inContext: true }
}

interface Folder {
  folders: Map<string, Folder>
  files: string[]
  /** With all that is below. */
  count: number
}

const newFolder = (): Folder => ({ folders: new Map(), files: [], count: 0 })

/**
 * The indented tree of a list of paths, folders first, by name. With room for `limit` entries the upper levels
 * go first; a folder that is not shown whole says how many files are in it.
 */
export function fileTree(paths: readonly string[], limit: number) {
  const root = newFolder()
  let folders = 0
  for (const path of paths.toSorted(inOrder)) {
    const names = path.split('/')
    const file = names.pop() ?? ''
    let at = root
    at.count++
    for (const name of names) {
      const next = at.folders.get(name) ?? newFolder()
      if (next.count === 0) folders++
      at.folders.set(name, next)
      at = next
      at.count++
    }
    at.files.push(file)
  }
  return { folders, text: draw(root, shownFolders(root, limit)).join('\n') }
}

/** How many entries of each folder are shown, level by level until the room is used up; small ones first. */
function shownFolders(root: Folder, limit: number): ReadonlyMap<Folder, number> {
  const shown = new Map<Folder, number>()
  let room = limit
  let level = [root]
  while (level.length > 0 && room > 0) {
    for (const folder of level.toSorted((a, b) => entriesOf(a) - entriesOf(b))) {
      const entries = Math.min(room, entriesOf(folder))
      shown.set(folder, entries)
      room -= entries
    }
    level = level.flatMap((folder) => [...folder.folders.values()])
  }
  return shown
}

function entriesOf({ folders, files }: Folder): number {
  return folders.size + files.length
}

function draw(folder: Folder, shown: ReadonlyMap<Folder, number>): readonly string[] {
  const room = shown.get(folder) ?? 0
  const below = [...folder.folders].sort(([a], [b]) => inOrder(a, b)).slice(0, room)
  const files = folder.files.toSorted(inOrder).slice(0, room - below.length)
  const told = below.reduce((count, [, one]) => count + one.count, files.length)
  const lines = below.flatMap(([name, one]) => {
    const inside = draw(one, shown)
    const head = `${plain(name)}/${(shown.get(one) ?? 0) === 0 ? ` (${filesIn(one.count)})` : ''}`
    return [head, ...inside.map((line) => `  ${line}`)]
  })
  const left = folder.count - told
  const rest = left > 0 && room > 0 ? [`[… ${filesIn(left)} more …]`] : []
  return [...lines, ...files.map(plain), ...rest]
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A name may hold anything; a line break in it would make two entries of one. */
function plain(name: string): string {
  return /[\x00-\x1f\x7f\u2028\u2029]/.test(name) ? JSON.stringify(name) : name
}

function filesIn(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`
}
