import { BadArchive, shown, decodeName } from './bad-archive.ts'
import { openBudget } from './budget.ts'
import type { RawEntry } from './check-entries.ts'

interface TarHeader {
  name: string
  mode: number
  /** Bytes of the data that follows. */
  size: number
  type: string
}

function readTarHeader(block: Buffer): TarHeader {
  if (readOctal(block, 148, 8) !== sumOf(block)) throw new BadArchive('a header in it is damaged')
  const isUstar = block.toString('latin1', 257, 263) === 'ustar\0'
  const name = decodeName(field(block, 0, 100))
  const prefix = isUstar ? decodeName(field(block, 345, 155)) : ''
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    mode: readOctal(block, 100, 8),
    size: readOctal(block, 124, 12),
    type: String.fromCharCode(block[156] ?? 0).replace('\0', '0'),
  }
}

/** Up to the first NUL; what stands behind it is padding. */
function field(block: Buffer, from: number, length: number): Buffer {
  const bytes = block.subarray(from, from + length)
  const end = bytes.indexOf(0)
  return end === -1 ? bytes : bytes.subarray(0, end)
}

function readOctal(block: Buffer, from: number, length: number): number {
  const text = block.toString('latin1', from, from + length)
  const digits = /^ *([0-7]+)[ \0]*$/.exec(text)?.[1]
  if (digits === undefined) throw new BadArchive('a header in it is damaged')
  return Number.parseInt(digits, 8)
}

/** The sum of all bytes, with blanks where it is written itself. */
function sumOf(block: Buffer): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)
}

/** Keys of an extended header that do not change what an entry is. */
const harmless =
  /^(?:[acm]time|uid|gid|uname|gname|comment|charset|hdrcharset|(?:SCHILY|LIBARCHIVE)\..*)$/

/** The path that an extended header of tar gives; null when it only tells times and owners. */
function readPax(data: Buffer): string | null {
  let path: string | null = null
  for (let at = 0; at < data.length;) {
    const { key, value, next } = readLine(data, at)
    if (key === 'path') path = value
    else if (!harmless.test(key))
      throw new BadArchive(`a header in it has "${key}", which is not taken`)
    at = next
  }
  return path
}

/** `LENGTH key=value\n`, the length counting all of it. */
function readLine(data: Buffer, at: number): { key: string; value: string; next: number } {
  const digits = /^([1-9]\d{0,5}) /.exec(data.toString('latin1', at, at + 7))?.[1] ?? ''
  const next = at + Number(digits)
  const line = data.subarray(at + digits.length + 1, next)
  const equals = line.indexOf('=')
  if (digits === '' || next > data.length || line.at(-1) !== 10 || equals < 1)
    throw new BadArchive('a header in it is damaged')
  return {
    key: decodeName(line.subarray(0, equals)),
    value: decodeName(line.subarray(equals + 1, -1)),
    next,
  }
}

const blockBytes = 512
/** The long name of an entry comes as data of its own. */
const maxNameBytes = 8 * 1024

/** Every entry of a tar file: ustar, with the long names of pax and GNU. Throws a BadArchive. */
export function readTar(tar: Buffer, packedBytes: number = tar.length): readonly RawEntry[] {
  const budget = openBudget(packedBytes)
  const entries: RawEntry[] = []
  let longName: string | null = null
  let at = 0
  for (;;) {
    const block = take(tar, at, blockBytes)
    if (isZero(block)) break
    const header = readTarHeader(block)
    const data = take(tar, at + blockBytes, header.size)
    at += blockBytes + Math.ceil(header.size / blockBytes) * blockBytes
    if (isAboutNext(header)) {
      longName = nameIn(header, data) ?? longName
      continue
    }
    const path: string = longName ?? header.name
    longName = null
    const kind = kindOf(header, path)
    budget.addEntry()
    budget.addBytes(data.length)
    entries.push({ path, kind, bytes: data, executable: (header.mode & 0o100) !== 0 })
  }
  const rest = tar.subarray(at)
  if (longName !== null || rest.length < 2 * blockBytes || !isZero(rest))
    throw new BadArchive('it is cut off or has more behind its end')
  return entries
}

function take(tar: Buffer, from: number, length: number): Buffer {
  const bytes = tar.subarray(from, from + length)
  if (bytes.length < length) throw new BadArchive('it is cut off')
  return bytes
}

/** Headers that say something of the next entry, or, as git’s with its commit, of all. */
function isAboutNext({ type }: TarHeader): boolean {
  return type === 'x' || type === 'g' || type === 'L'
}

function nameIn({ type }: TarHeader, data: Buffer): string | null {
  if (data.length > maxNameBytes) throw new BadArchive('a name in it is too long')
  if (type === 'L') return decodeName(data.at(-1) === 0 ? data.subarray(0, -1) : data)
  const path = readPax(data)
  if (type === 'g' && path !== null) throw new BadArchive('it gives all its entries one name')
  return path
}

const refusedTypes: Readonly<Record<string, string>> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a pipe',
}

function kindOf({ type, size }: TarHeader, path: string): RawEntry['kind'] {
  // Old programs mark a folder by its slash alone.
  const isFolder = type === '5' || (type === '0' && path.endsWith('/'))
  if (isFolder && size > 0) throw new BadArchive(`the folder ${shown(path)} has data`)
  if (isFolder) return 'folder'
  if (type === '0') return 'file'
  const what = refusedTypes[type] ?? 'something unknown'
  throw new BadArchive(`${shown(path)} is ${what}; only files and folders are taken`)
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0)
}
