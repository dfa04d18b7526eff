import { bearer } from './access.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyLog, createLog, type Item } from '../../../test/client/logs.ts'
import {
  json,
  openStream,
  startServer,
  streamText,
  type Handler,
} from '../../../test/client/session-server.ts'
import { sseText } from '../../server/http/stream/deliver.ts'
import type { Frame } from '../../protocol/stream/frame.ts'
import { viewOf } from '../../view/fold/entries.ts'
import { connect } from './connect.ts'
import { createFeed } from '../session/feed.ts'
import { until } from '../session/until.ts'

const session = '01900000-0000-7000-8000-000000000001'

function clientOf(url: string, wait: () => Promise<void> = async () => {}) {
  return connect({ url, access: bearer('t'), fetch, newKey: () => 'k', wait })
}

async function serving<T>(
  handler: Handler,
  use: (server: Awaited<ReturnType<typeof startServer>>) => Promise<T>,
): Promise<T> {
  const server = await startServer(handler)
  try {
    return await use(server)
  } finally {
    await server.close()
  }
}

const eventsOf = (items: readonly Item[]) =>
  items.flatMap((item) => ('event' in item ? [item.event] : []))

test('[CLIENT5] a line that breaks anywhere is taken up again: no event is missing or double', () =>
  fc.assert(
    fc.asyncProperty(anyLog, fc.array(fc.nat(3_000), { maxLength: 4 }), async (items, cuts) => {
      const left = [...cuts]
      const handler: Handler = ({ query }, response) => {
        const bytes = Buffer.from(streamText(items, Number(query['after'])))
        openStream(response)
        const cut = left.shift()
        if (cut === undefined) response.write(bytes)
        else response.write(bytes.subarray(0, cut), () => response.destroy())
      }
      await serving(handler, async ({ url }) => {
        const events = eventsOf(items)
        const got: unknown[] = []
        const feed = createFeed(clientOf(url), { session, onEvent: (event) => got.push(event) })
        const view = await until(feed, ({ view, link }) =>
          link.phase === 'live' && left.length === 0 && view.state.head === events.length
            ? view
            : undefined,
        )
        feed.close()
        expect(got).toEqual(events)
        expect(view.entries).toEqual(viewOf(events).entries)
      })
    }),
    { numRuns: 60 },
  ))

test('[CLIENT5] an event that comes again is dropped, and a gap makes the client ask again', async () => {
  const log = createLog()
  log.start()
  for (const text of ['a', 'b', 'c']) log.prompt(text)
  const frames = log.events().map((event) => sseText({ type: 'event', event }))
  const [first = '', second = '', third = '', fourth = ''] = frames
  const lines = [first + first + third + fourth, second + third + second + fourth]
  const asked: string[] = []
  await serving(
    ({ query }, response) => {
      asked.push(query['after'] ?? '')
      openStream(response)
      response.write(lines.shift() ?? '')
    },
    async ({ url }) => {
      const got: number[] = []
      const feed = createFeed(clientOf(url), { session, onEvent: ({ seq }) => got.push(seq) })
      await until(feed, ({ view }) => (view.state.head === 4 ? true : undefined))
      feed.close()
      expect(got).toEqual([1, 2, 3, 4])
      expect(asked).toEqual(['0', '1'])
    },
  )
})

test('[CLIENT7] a refusal ends the stream with its reason; so does a session that is deleted', async () => {
  await serving(
    (_, response) =>
      json(response, 404, { error: { code: 'not_found', message: 'no such session' } }),
    async ({ url }) => {
      const feed = createFeed(clientOf(url), { session })
      await expect(until(feed, () => undefined)).rejects.toThrow('no such session')
    },
  )
  await serving(
    (_, response) => {
      openStream(response)
      response.end(sseText({ type: 'closed', reason: 'deleted' }))
    },
    async ({ url, seen }) => {
      const feed = createFeed(clientOf(url), { session })
      await expect(until(feed, () => undefined)).rejects.toThrow('no longer followed')
      expect(seen).toHaveLength(1)
    },
  )
})

test('[CLIENT8] a script gives up after so many tries without a frame; each wait is longer', async () => {
  const waits: number[] = []
  const client = connect({
    url: 'http://127.0.0.1:9',
    access: bearer('t'),
    newKey: () => 'k',
    fetch: async () => {
      throw new TypeError('fetch failed')
    },
    wait: async (ms) => void waits.push(ms),
  })
  const feed = createFeed(client, { session, attempts: 4 })
  await expect(until(feed, () => undefined)).rejects.toThrow('is the server running?')
  expect(waits).toEqual([100, 200, 400])
})

test('[CLIENT8] closing a feed ends its line and what waits on it', async () => {
  let closed: () => void = () => {}
  const gone = new Promise<void>((resolve) => (closed = resolve))
  await serving(
    (_, response) => {
      response.on('close', closed)
      openStream(response)
      response.write(sseText({ type: 'live', head: 0 }))
    },
    async ({ url }) => {
      const feed = createFeed(clientOf(url), { session })
      const phases: string[] = []
      feed.subscribe(() => phases.push(feed.getSnapshot().link.phase))
      await until(feed, ({ link }) => (link.phase === 'live' ? true : undefined))
      const waiting = until(feed, () => undefined)
      const stop = new AbortController()
      const stopped = until(feed, () => undefined, { signal: stop.signal })
      stop.abort(new Error('enough'))
      await expect(stopped).rejects.toThrow('enough')
      feed.close()
      await expect(waiting).rejects.toThrow('no longer followed')
      await gone
      expect(phases).toEqual(['connecting', 'replaying', 'live', 'closed'].slice(-phases.length))
    },
  )
})

test('[CLIENT5] a slow client that was dropped resumes where it stopped', async () => {
  const log = createLog()
  log.start()
  log.prompt('a')
  const [first, second] = log.events()
  const closed: Frame = { type: 'closed', reason: 'slow' }
  await serving(
    ({ query }, response) => {
      openStream(response)
      const event = query['after'] === '0' ? first : second
      if (event) response.write(sseText({ type: 'event', event }))
      response.end(sseText(closed))
    },
    async ({ url, seen }) => {
      const feed = createFeed(clientOf(url), { session })
      await until(feed, ({ view }) => (view.state.head === 2 ? true : undefined))
      feed.close()
      expect(seen.slice(0, 2).map(({ query }) => query['after'])).toEqual(['0', '1'])
    },
  )
})

test('[CLIENT7] a frame this client does not know ends the stream instead of asking for it for ever', () =>
  serving(
    (_, response) => {
      openStream(response)
      response.write('id: 1\nevent: event\ndata: {"v":2,"type":"from_the_future"}\n\n')
    },
    async ({ url, seen }) => {
      const feed = createFeed(clientOf(url), { session })
      await expect(until(feed, () => undefined)).rejects.toThrow('another version')
      expect(seen).toHaveLength(1)
    },
  ))

test('[HOST18] a log that cannot be read ends the stream with an error, and is not asked for again', async () => {
  await serving(
    (_, response) => {
      openStream(response)
      response.end(sseText({ type: 'closed', reason: 'failed' }))
    },
    async ({ url, seen }) => {
      const feed = createFeed(clientOf(url), { session })
      await expect(until(feed, () => undefined)).rejects.toThrow('cannot be read any further')
      expect(seen).toHaveLength(1)
    },
  )
})

test('[HOST18] a line that only says goodbye is taken up again with longer and longer waits', async () => {
  const waits: number[] = []
  await serving(
    (_, response) => {
      openStream(response)
      response.end(sseText({ type: 'closed', reason: 'shutdown' }))
    },
    async ({ url }) => {
      const stop = new AbortController()
      const client = connect({
        url,
        access: bearer('t'),
        newKey: () => 'k',
        fetch,
        wait: async (ms) => {
          if (waits.push(ms) === 4) stop.abort()
        },
      })
      await client.follow({ session, after: 0, signal: stop.signal, onFrames() {} })
    },
  )
  expect(waits).toEqual([100, 200, 400, 800])
})
