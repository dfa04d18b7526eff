import { crc32 } from 'node:zlib'
import { BadArchive, shown } from './bad-archive.ts'
import { type Budget, openBudget } from './budget.ts'
import type { RawEntry } from './check-entries.ts'
import { inflateAll } from './inflate.ts'
import { readZipDirectory, type ZipEntry } from './zip-directory.ts'

/** Every entry of a zip file. Nothing of its headers is believed. Throws a BadArchive. */
export function readZip(zip: Buffer): readonly RawEntry[] {
  const budget = openBudget(zip.length)
  return readZipDirectory(zip).map((entry) => {
    budget.addEntry()
    const kind = kindOf(entry)
    const bytes = unpack(entry, budget)
    if (kind === 'folder' && bytes.length > 0)
      throw new BadArchive(`the folder ${shown(entry.name)} has data`)
    return { path: entry.name, kind, bytes, executable: (entry.unixMode & 0o100) !== 0 }
  })
}

/** The bits of a Unix mode that say what an entry is. */
const typeMask = 0o170000
const types: Readonly<Record<number, RawEntry['kind']>> = { 0o100000: 'file', 0o040000: 'folder' }

function kindOf({ name, unixMode }: ZipEntry): RawEntry['kind'] {
  const byName = name.endsWith('/') ? 'folder' : 'file'
  const type = unixMode & typeMask
  if (type === 0) return byName
  const kind = types[type]
  if (kind === undefined)
    throw new BadArchive(`${shown(name)} is a link or a device; only files and folders are taken`)
  if (kind !== byName) throw new BadArchive(`${shown(name)} is both a file and a folder`)
  return kind
}

function unpack({ name, method, data, size, crc }: ZipEntry, budget: Budget): Buffer {
  const bytes = method === 0 ? data : inflateAll(data, budget.left())
  if (bytes === 'too much') budget.addBytes(budget.left() + 1)
  if (typeof bytes === 'string') throw new BadArchive(`${shown(name)} is damaged`)
  budget.addBytes(bytes.length)
  if (bytes.length !== size || crc32(bytes) !== crc)
    throw new BadArchive(`${shown(name)} is damaged`)
  return bytes
}
