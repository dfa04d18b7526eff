import { crc32, deflateRawSync } from 'node:zlib'

/** One entry of a zip file, as a hostile program could write it. */
export interface ZipEntry {
  name: string | Buffer
  data?: Buffer | string
  deflated?: boolean
  /** With its type bits; 0 when the archive was not made on Unix. */
  mode?: number
  /** What headers say, when they lie. */
  crc?: number
  size?: number
  flags?: number
  method?: number
  /** The name before the data, when it differs from the one in the list. */
  localName?: string
  /** Where the list says its data is. */
  offset?: number
}

export interface ZipOptions {
  before?: Buffer
  after?: Buffer
  comment?: Buffer
  disk?: number
}

export function zipBytes(entries: readonly ZipEntry[], options: ZipOptions = {}): Buffer {
  const parts: Buffer[] = [options.before ?? Buffer.alloc(0)]
  const list: Buffer[] = []
  let at = parts[0]?.length ?? 0
  for (const entry of entries) {
    const { local, central } = entryBytes(entry, at)
    parts.push(local)
    list.push(central)
    at += local.length
  }
  const comment = options.comment ?? Buffer.alloc(0)
  const listBytes = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(options.disk ?? 0, 4)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listBytes.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...parts, listBytes, end, comment, options.after ?? Buffer.alloc(0)])
}

function entryBytes(
  { name, data = '', deflated = true, mode = 0o100644, ...more }: ZipEntry,
  at: number,
): { local: Buffer; central: Buffer } {
  const bytes = Buffer.from(data)
  const packed = deflated ? deflateRawSync(bytes) : bytes
  const method = more.method ?? (deflated ? 8 : 0)
  const sums = Buffer.alloc(12)
  sums.writeUInt32LE(more.crc ?? crc32(bytes), 0)
  sums.writeUInt32LE(packed.length, 4)
  sums.writeUInt32LE(more.size ?? bytes.length, 8)
  const shared = Buffer.alloc(10)
  shared.writeUInt16LE(20, 0)
  shared.writeUInt16LE(more.flags ?? 0x800, 2)
  shared.writeUInt16LE(method, 4)
  const listName = Buffer.from(name)
  const localName = Buffer.from(more.localName ?? name)
  const local = Buffer.concat([
    Buffer.from('PK\u0003\u0004', 'latin1'),
    shared,
    sums,
    uint16(localName.length, 0),
    localName,
    packed,
  ])
  const tail = Buffer.alloc(18)
  tail.writeUInt16LE(listName.length, 0)
  tail.writeUInt32LE((mode << 16) >>> 0, 10)
  tail.writeUInt32LE(more.offset ?? at, 14)
  const madeBy = Buffer.from([20, mode === 0 ? 0 : 3])
  const signature = Buffer.from('PK\u0001\u0002', 'latin1')
  const central = Buffer.concat([signature, madeBy, shared, sums, tail, listName])
  return { local, central }
}

function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2))
  return bytes
}
