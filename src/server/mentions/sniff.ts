export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** The kind of a file by its first bytes. Its name says nothing: anything may be called `a.png`. */
export type Sniffed =
  | { kind: 'image'; mediaType: string; label: string }
  | { kind: 'text'; encoding: Encoding; hasMark: boolean }
  | { kind: 'data'; label: string }

/** How many bytes are enough to tell. */
export const sniffBytes = 8_192

const images: readonly (readonly [RegExp, string, string])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png', 'PNG'],
  [/^\xff\xd8\xff/, 'image/jpeg', 'JPEG'],
  [/^GIF8[79]a/, 'image/gif', 'GIF'],
  [/^RIFF[^]{4}WEBP/, 'image/webp', 'WebP'],
]

const others: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'a PDF document'],
  [/^PK(\x03\x04|\x05\x06)/, 'a ZIP archive, or a document that is one'],
  [/^\x1f\x8b/, 'gzip data'],
  [/^BZh/, 'bzip2 data'],
  [/^\xfd7zXZ\0/, 'xz data'],
  [/^\x28\xb5\x2f\xfd/, 'zstd data'],
  [/^7z\xbc\xaf\x27\x1c/, 'a 7z archive'],
  [/^[^]{257}ustar/, 'a tar archive'],
  [/^\x7fELF/, 'an ELF program or library'],
  [/^[\xce\xcf]\xfa\xed\xfe|^\xca\xfe\xba\xbe/, 'a Mach-O program or a Java class'],
  [/^\0asm/, 'a WebAssembly module'],
  [/^SQLite format 3\0/, 'an SQLite database'],
  [/^BM[^]{4}\0{4}/, 'a BMP image'],
  [/^(II\*\0|MM\0\*)/, 'a TIFF image'],
  [/^[^]{4}ftyp(avif|heic|heix|mif1)/, 'an AVIF or HEIF image'],
  [/^[^]{4}ftyp/, 'MP4 video or audio'],
  [/^(ID3|\xff[\xfb\xf3\xf2])/, 'MP3 audio'],
  [/^OggS/, 'Ogg audio or video'],
  [/^RIFF[^]{4}WAVE/, 'WAV audio'],
  [/^\x1a\x45\xdf\xa3/, 'Matroska or WebM video'],
  [/^(wOFF|wOF2|OTTO|\0\x01\0\0)/, 'a font'],
  [/^(\xff\xfe\0\0|\0\0\xfe\xff)/, 'UTF-32 text'],
]

export function sniff(bytes: Buffer): Sniffed {
  const start = bytes.toString('latin1', 0, 300)
  for (const [magic, mediaType, label] of images)
    if (magic.test(start)) return { kind: 'image', mediaType, label }
  const data = others.find(([magic]) => magic.test(start))
  if (data) return { kind: 'data', label: data[1] }
  if (start.startsWith('\xff\xfe')) return { kind: 'text', encoding: 'utf-16le', hasMark: true }
  if (start.startsWith('\xfe\xff')) return { kind: 'text', encoding: 'utf-16be', hasMark: true }
  if (!looksLikeText(bytes)) return { kind: 'data', label: 'data of an unknown kind' }
  return { kind: 'text', encoding: 'utf-8', hasMark: start.startsWith('\xef\xbb\xbf') }
}

/** Text has no NUL; an old encoding of it is no UTF-8 here and there, but not all over. */
function looksLikeText(bytes: Buffer): boolean {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, sniffBytes), { stream: true })
  if (text.includes('\0')) return false
  const odd = text.match(/[\x01-\x07\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g)?.length ?? 0
  return odd <= text.length * 0.3
}
