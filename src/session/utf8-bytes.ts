/** How many bytes a text has when it is stored or sent. */
export function utf8Bytes(text: string): number {
  let bytes = 0
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}
