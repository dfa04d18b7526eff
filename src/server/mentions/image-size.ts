export interface ImageSize {
  width: number
  height: number
}

/** Width and height as a picture’s own bytes have them; null when it is broken. */
export function imageSize(bytes: Buffer, mediaType: string): ImageSize | null {
  try {
    const size = sizeIn(bytes, mediaType)
    return size && size.width > 0 && size.height > 0 ? size : null
  } catch {
    // It ends before its size is said.
    return null
  }
}

function sizeIn(bytes: Buffer, mediaType: string): ImageSize | null {
  switch (mediaType) {
    case 'image/png':
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    case 'image/gif':
      return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    case 'image/jpeg':
      return jpegSize(bytes)
    case 'image/webp':
      return webpSize(bytes)
    default:
      return null
  }
}

/** Segment by segment, up to the one that begins a frame. */
function jpegSize(bytes: Buffer): ImageSize | null {
  for (let at = 2; bytes.readUInt8(at) === 0xff;) {
    const marker = bytes.readUInt8(at + 1)
    // Any number of these may fill up the space before a marker.
    if (marker === 0xff) at++
    else if (isFrame(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** C4, C8 and CC are tables and an extension that nobody uses. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function webpSize(bytes: Buffer): ImageSize | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}
