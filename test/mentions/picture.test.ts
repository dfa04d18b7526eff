import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { limits } from '../../src/protocol/limits.ts'
import { readMentioned } from '../../src/server/mentions/read.ts'
import { useTempFolder } from '../store/temp-folder.ts'
import { gif, jpegHead, png, webp } from '../support/pictures.ts'

const folder = useTempFolder()
let workspace = ''
let count = 0
let saved: { bytes: Buffer; mediaType: string }[] = []

beforeEach(() => {
  workspace = join(realpathSync(folder()), `case-${count++}`)
  mkdirSync(workspace)
  saved = []
})

const all = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

function show(bytes: Buffer, { images = all, kept = { count: 0, bytes: 0 } } = {}) {
  const file = join(workspace, 'pic')
  writeFileSync(file, bytes)
  return readMentioned(
    { path: 'pic', file, kind: 'file', lines: null },
    {
      workspace,
      images,
      kept: async () => kept,
      async saveBlob(blob, mediaType) {
        saved.push({ bytes: blob, mediaType })
        return createHash('sha256').update(blob).digest('hex')
      },
    },
  )
}

test.each([
  ['image/png', png(640, 480), 'a PNG image; 0 bytes; 640 × 480'],
  ['image/jpeg', jpegHead(300, 200), 'a JPEG image; 0 bytes; 300 × 200'],
  ['image/gif', gif, 'a GIF image; 0 bytes; 1 × 1'],
  ['image/webp', webp, 'a WebP image; 0 bytes; 1 × 1'],
])(
  '[IMG3] a picture is known by its bytes, kept, and named with its size: %s',
  async (mediaType, bytes, facts) => {
    const answer = await show(bytes)
    const blob = createHash('sha256').update(bytes).digest('hex')
    expect(answer).toEqual({
      status: 'done',
      content: `@pic (${facts})`.replace(/\d+ bytes/, `${bytes.length} bytes`),
      inContext: true,
      images: [{ blob, mediaType }],
    })
    expect(saved).toEqual([{ bytes, mediaType }])
  },
)

test('[IMG3] a picture that the model does not take, or a provider would refuse, is only named', async () => {
  const big = png(9, 9)
  const named = async (answer: ReturnType<typeof show>) => {
    const { content, images, status } = await answer
    expect([images, status]).toEqual([undefined, 'done'])
    return content
  }
  expect(await named(show(big, { images: ['image/jpeg'] }))).toContain(
    'the model does not take such images, so it is only named',
  )
  expect(await named(show(big.subarray(0, 20)))).toContain('it is broken')
  expect(await named(show(png(limits.imageSide + 1, 1)))).toContain('longer than 8000 pixels')
  const full = { count: limits.sessionImages, bytes: 1 }
  expect(await named(show(big, { kept: full }))).toContain('as many images as')
  const heavy = { count: 1, bytes: limits.sessionImageBytes }
  expect(await named(show(big, { kept: heavy }))).toContain('as many images as')
  const large = Buffer.concat([big, Buffer.alloc(limits.imageBytes)])
  expect(await named(show(large))).toContain(`more than ${limits.imageBytes} bytes`)
  expect(saved).toEqual([])
})

test('[IMG3] a text that is called like a picture is a text', async () => {
  expect(await show(Buffer.from('GIF? no'))).toMatchObject({ content: '@pic (1 line)\nGIF? no' })
})
