import fc from 'fast-check'
import { expect, test } from 'vitest'
import { imageSize } from './read-image.ts'

const starts = [
  ['image/png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['image/jpeg', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')],
  ['image/gif', Buffer.from('GIF89a')],
  ['image/webp', Buffer.from('RIFF0000WEBPVP8 ')],
  ['image/webp', Buffer.from('RIFF0000WEBPVP8L')],
  ['image/webp', Buffer.from('RIFF0000WEBPVP8X')],
] as const

test('[IMG3] whatever follows a picture’s first bytes, its size is read or said to be unknown', () => {
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 60 }), (start, rest) => {
      const [mediaType, first] = start
      const size = imageSize(Buffer.concat([first, rest]), mediaType)
      if (size) expect(Math.min(size.width, size.height)).toBeGreaterThan(0)
    }),
  )
  // A marker that never ends: the search does.
  expect(
    imageSize(Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(5_000, 0xff)]), 'image/jpeg'),
  ).toBeNull()
  expect(imageSize(Buffer.from('ffd8ffe00000ffe00000', 'hex'), 'image/jpeg')).toBeNull()
  const wide = Buffer.from('RIFF0000WEBPVP8X........\x01\x00\x00\x02\x00\x00', 'latin1')
  expect(imageSize(wide, 'image/webp')).toEqual({ width: 2, height: 3 })
})
