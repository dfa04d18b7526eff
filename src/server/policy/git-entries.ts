/** A larger index is not read. */
export const maxIndexBytes = 128 * 1024 * 1024

/** A path that an index knows. */
interface Entry {
  name: Buffer
  /** It is a commit of another repository. */
  isLink: boolean
  /** The offset of the one after it. */
  next: number
}

const beforeAny: Entry = { name: Buffer.alloc(0), isLink: false, next: 12 }

/** The entries of an index of version 2, 3 or 4, in order; null comes last where it cannot be read to its end. */
export function* entriesIn(index: Buffer): Generator<Entry | null, void> {
  const isIndex = index.length >= beforeAny.next && index.toString('latin1', 0, 4) === 'DIRC'
  const version = isIndex ? index.readUInt32BE(4) : 0
  if (version < 2 || version > 4) return yield null
  let entry = beforeAny
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const found = entryAfter(index, entry, version === 4)
    yield found
    if (found === null) return
    entry = found
  }
}

/** An entry has 62 bytes before its name, or 64; in version 4 the name begins as the one before it does. */
function entryAfter(index: Buffer, { name, next: at }: Entry, isShared: boolean): Entry | null {
  if (at + 62 > index.length) return null
  const isLink = index.readUInt32BE(at + 24) >>> 12 === 0xe
  const isExtended = (index.readUInt16BE(at + 60) & 0x4000) !== 0
  const start = at + (isExtended ? 64 : 62)
  const dropped = isShared ? varint(index, start) : { value: name.length, next: start }
  if (dropped === null || dropped.value > name.length) return null
  const end = index.indexOf(0, dropped.next)
  if (end < 0) return null
  const kept = name.subarray(0, name.length - dropped.value)
  const own = index.subarray(dropped.next, end)
  const next = isShared ? end + 1 : at + Math.ceil((end - at + 1) / 8) * 8
  return { name: Buffer.concat([kept, own]), isLink, next }
}

/** A number as git writes offsets: seven bits a byte, and one more for each byte that follows. */
function varint(bytes: Buffer, from: number): { value: number; next: number } | null {
  let value = 0
  for (let at = from; at < Math.min(bytes.length, from + 5); at++) {
    const byte = bytes[at] ?? 0
    value = (value << 7) | (byte & 0x7f)
    if ((byte & 0x80) === 0) return { value, next: at + 1 }
    value += 1
  }
  return null
}
