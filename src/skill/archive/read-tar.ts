import { BadArchive, shown } from './bad-archive.ts'
import { openBudget } from './budget.ts'
import type { RawEntry } from './check-entries.ts'
import { decodeName } from './decode-name.ts'
import { readPax } from './read-pax.ts'
import { readTarHeader, type TarHeader } from './tar-header.ts'

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
