import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Event } from '../../src/protocol/events/event.ts'
import { fillPictures } from '../../src/server/model/pictures.ts'
import type { Model } from '../../src/server/model/model.ts'
import { imagesOf } from '../../src/server/model/setup-for.ts'
import { createRequestMeter } from '../../src/server/session/measured-requests.ts'
import { hashOf } from '../../src/server/store/blob-hash.ts'
import { createConversation } from '../../src/session/conversation/conversation.ts'
import { allProviders } from './all-providers.ts'
import { startRefusing } from './refusing-server.ts'

/** As TR13, for prompts with pictures: what has been recorded is never written anew. */
const file = join(process.cwd(), 'test/fixtures/requests/pictures.json')

/** A PNG of two pixels. */
const bytes = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAAAAADRSSBWAAAAC0lEQVR4nGNgYAAAAAMAAbitOmMAAAAASUVORK5CYII=',
  'base64',
)

const cases = allProviders.flatMap((provider) =>
  provider.dialects.map((dialect) => ({ name: `${provider.name}-${dialect}`, provider, dialect })),
)

type Recorded = Record<string, { log: unknown[]; bodies: readonly string[] }>

let server: Awaited<ReturnType<typeof startRefusing>>
beforeAll(async () => {
  server = await startRefusing()
})
afterAll(() => server.close())

test('[IMG1] a recorded session with a picture gives the recorded bodies', async () => {
  const models = new Map(
    cases.map(({ name, provider, dialect }) => [
      name,
      provider.model({ baseUrl: server.baseUrl, dialect }),
    ]),
  )
  if (process.env['TANDEM_RECORD'] === 'pictures.json') await record(models)
  const recorded: Recorded = JSON.parse(await readFile(file, 'utf8'))
  expect(Object.keys(recorded)).toEqual([...models.keys()])
  for (const [name, { log, bodies }] of Object.entries(recorded)) {
    const events = log.map((event) => Event.parse(event))
    expect(await bodiesOf(events, models.get(name)!)).toEqual(bodies)
  }
})

async function bodiesOf(log: readonly Event[], model: Model): Promise<readonly string[]> {
  const conversation = createConversation()
  const meter = createRequestMeter()
  const { bodies } = server
  const before = bodies.length
  const { signal } = new AbortController()
  for (const event of log) {
    conversation.apply(event)
    if (event.type !== 'step_start') continue
    meter.measure(conversation)
    const request = meter.request()
    const messages = await fillPictures(request.messages, async () => ({ bytes }))
    const reply = model.reply({ ...request, messages }, { signal })
    await expect(reply[Symbol.asyncIterator]().next()).rejects.toThrow()
  }
  return bodies.slice(before)
}

async function record(models: ReadonlyMap<string, Model>): Promise<void> {
  const recorded: Recorded = {}
  for (const [name, model] of models) {
    const log = logOf(model).map((event) => Event.parse(event))
    recorded[name] = { log, bodies: await bodiesOf(log, model) }
  }
  await writeFile(file, `${JSON.stringify(recorded, null, 1)}\n`, { flag: 'wx' })
}

/** A prompt with a picture and a note, a reply, and the same picture once more. */
function logOf({ setup }: Model): readonly object[] {
  const meta = { isClientInitiated: true }
  const request = { bytes: 1, hash: '', added: [] }
  const images = [{ blob: hashOf(bytes), mediaType: 'image/png' }]
  const read = { path: 'a.png', file: '/ws/a.png', kind: 'file', lines: null }
  const call = {
    type: 'tool_request',
    meta,
    name: 'read_file',
    args: 'a.png',
    index: 0,
    step: null,
  }
  const said = { type: 'message', inContext: true, synthetic: false, role: 'user' }
  const witness = { prefixBytes: 0, ok: true }
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }
  const text = (words: string) => [{ type: 'text', text: words }]
  return [
    { type: 'epoch_start', ...setup, images: [...imagesOf(setup.adapter, 'gpt-4o')] },
    { ...said, parts: text('what is @a.png?') },
    { ...call, read, prompt: 2 },
    {
      type: 'tool_response',
      meta,
      request: 3,
      status: 'done',
      content: '@a.png (a PNG image)',
      inContext: true,
      images,
    },
    { type: 'step_start', turn: 2, step: 1, takes: [2, 4], request },
    {
      ...said,
      role: 'assistant',
      parts: text('Two pixels.'),
      stop: 'done',
      step: 5,
      usage,
      witness,
    },
    { ...call, read },
    {
      type: 'tool_response',
      meta,
      request: 7,
      status: 'done',
      content: '@a.png',
      inContext: true,
      images,
    },
    { ...said, parts: text('and now?') },
    { type: 'step_start', turn: 2, step: 2, takes: [8, 9], request },
  ].map((event, index) => ({ v: 1, seq: index + 1, at: 0, by: { kind: 'user' }, ...event }))
}
