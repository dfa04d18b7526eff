/**
 * What leaves the text of output alone: colours, strings such as titles and links, the usual character
 * set, bracketed paste, line ends and bells. In Latin-1: bytes are compared, nothing is decoded.
 */
const harmless =
  /\x1b\[[\d;:]*m|\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\(B|\x1b\[\?2004[hl]|\r+\n|[\x00\x07]/g
const control = /[\x01-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/

/**
 * Whether output moves the cursor, erases, or otherwise means another text than its characters in
 * their order. If not, its plain text is exact and needs no terminal.
 */
export function needsRender(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return control.test(text) && control.test(text.replaceAll(harmless, ''))
}
