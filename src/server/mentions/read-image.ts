import type { FileHandle } from 'node:fs/promises'
import { limits } from '../../protocol/limits.ts'
import type { ImageRef } from '../../protocol/message.ts'
import { imageSize } from './image-size.ts'
import type { Sniffed } from './sniff.ts'

export interface Pictures {
  /** The media types that the session’s model takes. */
  images: readonly string[]
  /** How many and how many bytes of them the session has already. */
  kept(): Promise<{ count: number; bytes: number }>
  /** Keeps one, and says by which name it is found. */
  saveBlob(bytes: Buffer, mediaType: string): Promise<string>
}

export interface ImageRead {
  facts: readonly string[]
  images?: readonly ImageRef[]
}

/**
 * A picture is kept and shown to the model if it takes it. What a provider would refuse is only named:
 * it would be in every later request, and all of them would be refused.
 */
export async function readImage(
  handle: FileHandle,
  { mediaType, label }: Sniffed & { kind: 'image' },
  pictures: Pictures,
): Promise<ImageRead> {
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
