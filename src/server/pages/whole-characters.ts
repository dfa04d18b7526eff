/** Without the first bytes of a UTF-8 character that goes on behind the cut. */
export function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.subarray(0, bytes.length - back) : bytes
    }
  }
  return bytes
}

/** Without the last bytes of a UTF-8 character that began before the cut. */
export function withoutCutStart(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80)
  return start > 0 ? bytes.subarray(start) : bytes
}
