import { BadArchive } from './bad-archive.ts'

const endBytes = 22
const endSignature = 0x06054b50
const maxComment = 0xffff

/** Where the list of a zip file is; there must be exactly one place that can be meant. */
export function findZipEnd(zip: Buffer): { count: number; from: number; to: number } {
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
