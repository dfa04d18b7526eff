/** One entry of a tar file, as a hostile program could write it. */
export interface TarEntry {
  name: string
  data?: Buffer | string
  /** `0` file, `5` folder, `1` hard link, `2` symbolic link, … */
  type?: string
  mode?: number
  linkName?: string
  /** What the header says, when it lies. */
  size?: number
}

export function tarBytes(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.map(entryBytes), Buffer.alloc(1024)])
}

function entryBytes({ name, data = '', type = '0', mode = 0o644, ...more }: TarEntry): Buffer {
  const body = Buffer.from(data)
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  writeOctal(header, mode, [100, 8])
  writeOctal(header, 0, [108, 8])
  writeOctal(header, 0, [116, 8])
  writeOctal(header, more.size ?? body.length, [124, 12])
  writeOctal(header, 0, [136, 12])
  header.write(type, 156, 1, 'latin1')
  header.write(more.linkName ?? '', 157, 100)
  header.write('ustar\u000000', 257, 8, 'latin1')
  header.fill(32, 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 8, 'latin1')
  const padding = Buffer.alloc((512 - (body.length % 512)) % 512)
  return Buffer.concat([header, body, padding])
}

function writeOctal(header: Buffer, value: number, [at, length]: readonly [number, number]): void {
  header.write(value.toString(8).padStart(length - 1, '0'), at, length, 'latin1')
}

/** An extended header with these keys, for the entry that follows. */
export function paxEntry(keys: Readonly<Record<string, string>>, type = 'x'): TarEntry {
  const lines = Object.entries(keys).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`
    let length = Buffer.byteLength(rest) + 1
    while (Buffer.byteLength(`${length}${rest}`) !== length) length += 1
    return `${length}${rest}`
  })
  return { name: 'pax', type, data: lines.join('') }
}
