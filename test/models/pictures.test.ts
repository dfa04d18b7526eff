import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/protocol/events/epoch.ts'
import type { ImageRef } from '../../src/protocol/events/message.ts'
import { ok } from '../../src/base/result.ts'
import { fillPictures, withPictures } from '../../src/server/model/pictures.ts'
import type { Model } from '../../src/server/model/model.ts'
import type { Models } from '../../src/server/model/models.ts'
import { imagesOf } from '../../src/server/model/setup-for.ts'
import { gif, jpegHead, png, webp } from '../support/pictures.ts'
import { allProviders } from './all-providers.ts'
import type { Provider, ProviderServer } from './provider.ts'
import { openTalk } from './talk.ts'

const kept = new Map<string, Buffer>()

function keep(bytes: Buffer, mediaType: string): ImageRef {
  const blob = createHash('sha256').update(bytes).digest('hex')
  kept.set(blob, bytes)
  return { blob, mediaType }
}

const pictures = {
  'image/png': png(3, 2),
  'image/jpeg': jpegHead(4, 5),
  'image/webp': webp,
  'image/gif': gif,
}
const refs = Object.entries(pictures).map(([mediaType, bytes]) => keep(bytes, mediaType))

const load = async (hash: string) => {
  const bytes = kept.get(hash)
  return bytes ? { bytes } : null
}

/** The model as a session has it: it takes what its adapter takes, and gets its pictures. */
async function pictured(provider: Provider, baseUrl: string, dialect: Dialect): Promise<Model> {
  const plain = provider.model({ baseUrl, dialect })
  const { adapter } = plain.setup
  // The name is one of a model that takes pictures.
  const setup = { ...plain.setup, images: [...imagesOf(adapter, 'gpt-4o')] }
  const models = { open: async () => ok({ ...plain, setup }) } as unknown as Models
  const opened = await withPictures(models, load).open(setup)
  if (!opened.ok) throw new Error(opened.error)
  return opened.value
}

const cases = allProviders.flatMap((provider) =>
  provider.dialects.map((dialect) => ({ name: `${provider.name}, ${dialect}`, provider, dialect })),
)

describe.each(cases)('$name', ({ provider, dialect }: { provider: Provider; dialect: Dialect }) => {
  let server: ProviderServer
  beforeEach(async () => {
    server = await provider.start()
  })
  afterEach(() => server.close())

  const record = { kind: 'record', text: '@a.png (a PNG image)', images: refs } as const
  const asked = { name: 'read_file', args: 'a.png' }
  const prompt = { kind: 'prompt', text: 'what is it?' } as const

  test('[IMG1] pictures stand behind their record’s text, byte for byte, where the model takes them', async () => {
    server.say('a picture')
    const model = await pictured(provider, server.baseUrl, dialect)
    const ending = await openTalk(model).ask({ ...record, asked }, prompt)
    expect(ending.error).toBeUndefined()
    const { body } = await server.request(1)
    const taken = model.setup.images ?? []
    for (const [mediaType, bytes] of Object.entries(pictures)) {
      const at = body.indexOf(bytes.toString('base64'))
      expect(at > body.indexOf('@a.png (a PNG image)')).toBe(taken.includes(mediaType))
      expect(at).toBeLessThan(body.indexOf('what is it?'))
    }
  })

  test('[IMG1] a request with pictures extends the last one, however often it is written', async () => {
    server.say('one', 'two')
    const talk = openTalk(await pictured(provider, server.baseUrl, dialect))
    await talk.ask(record, prompt)
    await talk.ask({ kind: 'prompt', text: 'and now?' }, record)
    const [first, second] = server.requests.map(({ body }) => provider.items(body))
    expect(second?.slice(0, first?.length)).toEqual(first)
  })

  test('[IMG1] the scripted server is as strict as the real one: a picture that is another kind is refused', async () => {
    server.say('never said')
    const model = await pictured(provider, server.baseUrl, dialect)
    if (model.setup.images?.length === 0) return
    const images = [{ ...keep(webp, 'image/webp'), mediaType: 'image/png' }]
    const ending = await openTalk(model).ask({ ...record, images }, prompt)
    expect(ending.error?.message).toMatch(/the image was specified as image\/png, but is not/)
  })

  test('[IMG3] a model that takes no pictures is told the text alone', async () => {
    server.say('no picture')
    const talk = openTalk(provider.model({ baseUrl: server.baseUrl, dialect }))
    expect((await talk.ask(record, prompt)).error).toBeUndefined()
    const { body } = await server.request(1)
    expect(body).toContain('@a.png (a PNG image)')
    expect(body).not.toContain('base64')
    expect(body).not.toContain('inlineData')
  })
})

test('[IMG1] a text that imitates the place of a picture stays a text', async () => {
  const [ref] = refs
  const text = JSON.stringify({ text: `\x01${ref?.blob}\x01` })
  expect(await fillPictures([text], load)).toEqual([text])
})

test('[IMG3] a picture that is gone or damaged fails the request with a sentence', async () => {
  const gone = `\x01${'0'.repeat(64)}\x01`
  await expect(fillPictures([gone], load)).rejects.toThrow('damaged or gone')
  const damaged = async () => ({ bytes: Buffer.from('other') })
  await expect(fillPictures([gone], damaged)).rejects.toThrow('damaged or gone')
})

test.each([
  ['anthropic', 'claude-sonnet-4-5', 4],
  ['anthropic', 'claude-2.1', 0],
  ['gemini', 'gemini-2.5-pro', 3],
  ['openai-responses', 'gpt-5', 3],
  ['openai-responses', 'gpt-4o', 3],
  ['openai-responses', 'gpt-4', 0],
  ['openai-responses', 'gpt-4-0613', 0],
  ['openai-responses', 'o3-mini', 0],
  ['openai-chat', 'gpt-4o-mini', 3],
  ['openai-chat', 'o3-mini', 0],
  ['openai-chat', 'anthropic/claude-sonnet-4', 3],
  ['openai-chat', 'qwen2.5-vl:7b', 3],
  ['openai-chat', 'llama3.2-vision', 3],
  ['openai-chat', 'llama3.3', 0],
  ['openai-chat', 'default', 0],
  ['openai-chat-strict', 'gpt-4o', 3],
  ['demo', 'offline', 0],
])('[IMG3] which kinds of pictures a model takes: %s %s', (adapter, name, count) => {
  expect(imagesOf(adapter, name)).toHaveLength(count)
})
