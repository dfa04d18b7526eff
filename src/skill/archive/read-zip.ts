import { BadArchive, shown, decodeName } from './bad-archive.ts'
import { crc32, inflateRawSync } from 'node:zlib'
import { type Budget, openBudget, unpackAll } from './budget.ts'
import type { RawEntry } from './check-entries.ts'

const endBytes = 22
const endSignature = 0x06054b50
const maxComment = 0xffff

/** Finds the list of a zip file; exactly one place must be possible. */
function findZipEnd(zip: Buffer): { count: number; from: number; to: number } {
  const at = endPlace(zip)
  const disks = zip.readUInt32LE(at + 4)
  const count = zip.readUInt16LE(at + 10)
  if (disks !== 0 || zip.readUInt16LE(at + 8) !== count)
    throw new BadArchive('it is one part of several')
  const from = zip.readUInt32LE(at + 16)
  if (count === 0xffff || from === 0xffffffff)
    throw new BadArchive('it is a zip64 file, made for huge ones')
  if (from + zip.readUInt32LE(at + 12) !== at) throw new BadArchive('its list of files is damaged')
  return { count, from, to: at }
}

function endPlace(zip: Buffer): number {
  const places: number[] = []
  const earliest = Math.max(0, zip.length - endBytes - maxComment)
  for (let at = zip.length - endBytes; at >= earliest; at -= 1) {
    const isEnd = zip.readUInt32LE(at) === endSignature
    if (isEnd && at + endBytes + zip.readUInt16LE(at + 20) === zip.length) places.push(at)
  }
  const [at] = places
  if (at === undefined)
    throw new BadArchive('it is no zip file, is cut off or has more behind its end')
  if (places.length > 1) throw new BadArchive('it has two ends')
  return at
}

interface ZipEntry {
  name: string
  /** 0 stored, 8 deflated. */
  method: number
  crc: number
  size: number
  /** 0 when the archive was not made on Unix. */
  unixMode: number
  data: Buffer
}

const centralBytes = 46
const localBytes = 30
const signature = { central: 0x02014b50, local: 0x04034b50 }
const flag = { encrypted: 0x1 | 0x40 | 0x2000, patched: 0x20 }
/** The systems whose entries carry a Unix mode: Unix and macOS. */
const unixLike = new Set([3, 19])

/**
 * The list at the end of a zip file, each entry held against the header that stands before its data.
 * Throws a BadArchive if two programs could read two different archives.
 */
function readZipDirectory(zip: Buffer): readonly ZipEntry[] {
  const { count, from, to } = findZipEnd(zip)
  const list = zip.subarray(0, to)
  const body = zip.subarray(0, from)
  const entries: (ZipEntry & Place)[] = []
  let at = from
  for (let index = 0; index < count; index += 1) {
    const central = readCentral(list, at)
    entries.push(withData(body, central))
    at = central.next
  }
  if (at !== to) throw new BadArchive('its list of files is damaged')
  checkPlaces(entries)
  return entries
}

interface Place {
  start: number
  end: number
}

function checkPlaces(entries: readonly Place[]): void {
  let end = 0
  for (const place of entries.toSorted((one, other) => one.start - other.start)) {
    if (end === 0 && place.start > 0) throw new BadArchive('it has something before its first file')
    if (place.start < end) throw new BadArchive('entries in it share their bytes')
    end = place.end
  }
}

interface Central extends Omit<ZipEntry, 'data'> {
  rawName: Buffer
  packedSize: number
  /** Offset of its own header. */
  start: number
  /** Offset of the next one of the list. */
  next: number
}

function readCentral(list: Buffer, at: number): Central {
  if (at + centralBytes > list.length || list.readUInt32LE(at) !== signature.central)
    throw new BadArchive('its list of files is damaged')
  const nameEnd = at + centralBytes + list.readUInt16LE(at + 28)
  const next = nameEnd + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32)
  if (next > list.length) throw new BadArchive('its list of files is damaged')
  const rawName = list.subarray(at + centralBytes, nameEnd)
  const name = decodeName(rawName)
  const method = list.readUInt16LE(at + 10)
  checkFlags(list.readUInt16LE(at + 8), name)
  if (method !== 0 && method !== 8)
    throw new BadArchive(`${shown(name)} is packed in a way that is not taken (${method})`)
  return {
    name,
    rawName,
    method,
    crc: list.readUInt32LE(at + 16),
    packedSize: list.readUInt32LE(at + 20),
    size: list.readUInt32LE(at + 24),
    unixMode: unixLike.has(list.readUInt8(at + 5)) ? list.readUInt16LE(at + 40) : 0,
    start: list.readUInt32LE(at + 42),
    next,
  }
}

function checkFlags(flags: number, name: string): void {
  if ((flags & flag.encrypted) !== 0) throw new BadArchive(`${shown(name)} is encrypted`)
  if ((flags & flag.patched) !== 0) throw new BadArchive(`${shown(name)} is a patch`)
}

/** The header before the data must name the same file, packed in the same way. */
function withData(body: Buffer, central: Central): ZipEntry & Place {
  const { name, start, rawName, method, packedSize, crc, size, unixMode } = central
  const damaged = new BadArchive(`${shown(name)} is damaged`)
  const nameAt = start + localBytes
  if (nameAt > body.length || body.readUInt32LE(start) !== signature.local) throw damaged
  const nameEnd = nameAt + body.readUInt16LE(start + 26)
  const from = nameEnd + body.readUInt16LE(start + 28)
  const end = from + packedSize
  if (end > body.length || !body.subarray(nameAt, nameEnd).equals(rawName)) throw damaged
  if (body.readUInt16LE(start + 8) !== method) throw damaged
  checkFlags(body.readUInt16LE(start + 6), name)
  return { name, method, crc, size, unixMode, start, end, data: body.subarray(from, end) }
}

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
  const bytes = method === 0 ? data : unpackAll(inflateRawSync, data, budget.left())
  if (bytes === 'too much') budget.addBytes(budget.left() + 1)
  if (typeof bytes === 'string') throw new BadArchive(`${shown(name)} is damaged`)
  budget.addBytes(bytes.length)
  if (bytes.length !== size || crc32(bytes) !== crc)
    throw new BadArchive(`${shown(name)} is damaged`)
  return bytes
}
