import { BadArchive, shown } from './bad-archive.ts'
import { decodeName } from './decode-name.ts'
import { findZipEnd } from './zip-end.ts'

export interface ZipEntry {
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
 * Where two programs could read two different archives, it throws a BadArchive.
 */
export function readZipDirectory(zip: Buffer): readonly ZipEntry[] {
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
  /** Where its own header is. */
  start: number
  /** Where the next one of the list is. */
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
