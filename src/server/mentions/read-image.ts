import type { FileHandle } from 'node:fs/promises'
import { limits } from '../../protocol/limits.ts'
import type { ImageRef } from '../../protocol/events/message.ts'
import type { Sniffed } from './sniff.ts'

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

export interface Pictures {
  /** The media types that the session’s model takes. */
  images: readonly string[]
  /** How many and how many bytes of them the session has already. */
  kept(): Promise<{ count: number; bytes: number }>
  /** Keeps one, and says by which name it is found. */
  saveBlob(bytes: Buffer, mediaType: string): Promise<string>
}

/**
 * A picture is kept and shown to the model if it takes it. What a provider would refuse is only named:
 * it would be in every later request, and all of them would be refused.
 */
export async function readImage(
  handle: FileHandle,
  { mediaType, label }: Sniffed & { kind: 'image' },
  pictures: Pictures,
): Promise<{ facts: readonly string[]; images?: readonly ImageRef[] }> {
  const { size } = await handle.stat()
  const known = [`a ${label} image`, `${size} bytes`]
  const named = (why: string) => ({ facts: [...known, `${why}, so it is only named`] })
  if (!pictures.images.includes(mediaType)) return named('the model does not take such images')
  if (size > limits.imageBytes) return named(`more than ${limits.imageBytes} bytes`)
  const bytes = await readBytes(handle, size)
  const side = imageSize(bytes, mediaType)
  if (side === null || bytes.length < size) return named('it is broken')
  known.push(`${side.width} × ${side.height}`)
  if (Math.max(side.width, side.height) > limits.imageSide)
    return named(`longer than ${limits.imageSide} pixels`)
  const kept = await pictures.kept()
  if (kept.count >= limits.sessionImages || kept.bytes + size > limits.sessionImageBytes)
    return named('the session has as many images as a request can hold')
  const blob = await pictures.saveBlob(bytes, mediaType)
  return { facts: known, images: [{ blob, mediaType }] }
}

async function readBytes(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size)
  let at = 0
  while (at < size) {
    const { bytesRead } = await handle.read(bytes, at, size - at, at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  return bytes.subarray(0, at)
}
