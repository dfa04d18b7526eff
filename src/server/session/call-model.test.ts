import { once } from 'node:events'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { textOf } from '../../protocol/events/message.ts'
import { noUsage } from '../../log/state.ts'
import type { ReplyError } from '../../session/record/report.ts'
import { shellTags } from '../../session/calls/asked.ts'
import { cutOff, type Model, ModelError, type ReplyDelta } from '../model/model.ts'
import { limits } from '../../protocol/limits.ts'
import { callModel, createDraftSaver } from './call-model.ts'
import { catalogue } from '../../../test/support/simulate.ts'

const { setup } = catalogue

function scripted(reply: () => AsyncIterable<ReplyDelta>): Model {
  return { setup, reply }
}

async function call(model: Model, onText: (text: string) => void = () => undefined) {
  const { signal } = new AbortController()
  const request = { setup, messages: [], sent: 0 }
  return callModel({ model, request, signal, onText, onRetry: () => undefined })
}

const tags = ['<shell>', '</shell>', '`', '```\n', '\n', 'ls', '\u2028', '👩‍💻', '\ud83d']

test('[LOOP14] however a reply is cut into pieces, its text and its commands are the same', async () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constantFrom(...tags), fc.string())),
      fc.array(fc.nat()),
      async (words, cuts) => {
        const text = words.join('')
        const places = cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b)
        const edges = [0, ...places, text.length]
        const pieces = edges.slice(1).map((end, index) => text.slice(edges[index], end))
        let shown = ''
        const ending = await call(
          scripted(async function* () {
            for (const piece of pieces) yield { type: 'text', text: piece }
            yield { type: 'end', stop: 'done', usage: noUsage }
          }),
          (piece) => {
            shown += piece
          },
        )
        expect(ending).toMatchObject({ stop: 'done', usage: noUsage })
        expect(textOf(ending.parts)).toBe(text)
        expect(shown).toBe(text)
        expect(shellTags(textOf(ending.parts))).toEqual(shellTags(text))
      },
    ),
    { numRuns: 300 },
  ))

test('[LOOP6] a reply that fails keeps what had come, and says why', async () => {
  const ending = await call(
    scripted(async function* () {
      yield { type: 'text', text: 'half' }
      throw new ModelError('no more', { code: 'model_overloaded', retryAfterMs: 2_000 })
    }),
  )
  expect(ending).toMatchObject({
    parts: [{ type: 'text', text: 'half' }],
    stop: 'failed',
    usage: noUsage,
    error: { code: 'model_overloaded', message: 'no more', fatal: false },
  })
})

test('[LOOP6] a reply that ends without an end is cut off, not empty', async () => {
  const ending = await call(
    scripted(async function* () {
      yield { type: 'text', text: 'so' }
    }),
  )
  expect(ending).toMatchObject({
    parts: [{ type: 'text', text: 'so' }],
    stop: 'failed',
    error: { code: 'model_cut' },
  })
})

/** Fails as often as told, then answers. */
function failing(times: number, error: () => unknown): { model: Model; attempts: () => number } {
  let attempts = 0
  const model = scripted(async function* () {
    attempts++
    if (attempts <= times) throw error()
    yield { type: 'text', text: 'here' }
    yield { type: 'end', stop: 'done', usage: noUsage }
  })
  return { model, attempts: () => attempts }
}

async function callWithRetries(model: Model, signal = new AbortController().signal) {
  const retries: ReplyError[] = []
  const ending = await callModel({
    model,
    request: { setup, messages: [], sent: 0 },
    signal,
    onText: () => undefined,
    onRetry: (error) => void retries.push(error),
    random: () => 0,
  })
  return { ending, retries }
}

const overloaded = (retryAfterMs: number | null) =>
  new ModelError('Too many requests.', { code: 'model_overloaded', transient: true, retryAfterMs })

test('[LOOP20] a failure that may pass is tried again, visibly, and as the provider asks', async () => {
  const { model, attempts } = failing(2, () => overloaded(5))
  const { ending, retries } = await callWithRetries(model)
  expect(ending).toMatchObject({ stop: 'done', parts: [{ text: 'here' }] })
  expect(attempts()).toBe(3)
  expect(retries).toMatchObject([
    { code: 'model_retry', retryAfterMs: 5, message: expect.stringContaining('(1 of 4)') },
    { code: 'model_retry', retryAfterMs: 5, message: expect.stringContaining('(2 of 4)') },
  ])
})

test('[LOOP26] a wait that is no whole number of milliseconds is told as one', async () => {
  const { model } = failing(1, () => overloaded(10.5))
  const { ending, retries } = await callWithRetries(model)
  expect(ending.stop).toBe('done')
  expect(retries).toMatchObject([{ retryAfterMs: 11 }])
})

test('[LOOP11] a reply that asks for hundreds of things at once is ended, and so is one of nothing without an end', async () => {
  const asking = scripted(async function* () {
    for (let n = 0; ; n++) yield { type: 'call', id: `c${n}`, name: 'terminal_read', args: '{}' }
  })
  expect(await call(asking)).toMatchObject({
    stop: 'failed',
    error: { message: expect.stringContaining('more than 200 things at once') },
  })
  const empty = scripted(async function* () {
    for (;;) yield { type: 'text', text: '' }
  })
  expect(await call(empty)).toMatchObject({ stop: 'length' })
})

test('[LOOP20] it is tried again four times at most, and never for what will not pass', async () => {
  const stubborn = failing(99, () => overloaded(1))
  const { ending } = await callWithRetries(stubborn.model)
  expect(stubborn.attempts()).toBe(5)
  expect(ending).toMatchObject({ stop: 'failed', error: { code: 'model_overloaded' } })
  const refused = failing(99, () => new ModelError('Is the key right?', { code: 'model_auth' }))
  expect((await callWithRetries(refused.model)).ending.stop).toBe('failed')
  expect(refused.attempts()).toBe(1)
  const patient = failing(99, () => overloaded(3_600_000))
  await callWithRetries(patient.model)
  expect(patient.attempts()).toBe(1)
})

test('[LOOP20] once a word has come nothing is sent again', async () => {
  let attempts = 0
  const model = scripted(async function* () {
    attempts++
    yield { type: 'text', text: 'so' }
    throw overloaded(1)
  })
  const { ending } = await callWithRetries(model)
  expect(attempts).toBe(1)
  expect(ending).toMatchObject({ stop: 'failed', parts: [{ type: 'text', text: 'so' }] })
})

test('[LOOP20] an abort while it waits to try again ends at once', async () => {
  const { model } = failing(99, () => overloaded(60_000))
  const controller = new AbortController()
  const ending = callModel({
    model,
    request: { setup, messages: [], sent: 0 },
    signal: controller.signal,
    onText: () => undefined,
    onRetry: () => controller.abort(),
  })
  expect(await ending).toMatchObject({ stop: 'aborted', parts: [] })
})

test('[LOOP5] a reply that falls silent, or never ends, is ended and keeps what had come', async () => {
  const silent = (times: { idleMs: number; totalMs: number }) =>
    callModel({
      model: {
        setup,
        async *reply(_, { signal }) {
          yield { type: 'text', text: 'so' }
          await once(signal, 'abort')
          throw signal.reason
        },
      },
      request: { setup, messages: [], sent: 0 },
      signal: new AbortController().signal,
      onText: () => undefined,
      onRetry: () => undefined,
      times,
    })
  for (const times of [
    { idleMs: 5, totalMs: 60_000 },
    { idleMs: 60_000, totalMs: 5 },
  ])
    expect(await silent(times)).toMatchObject({
      stop: 'failed',
      parts: [{ type: 'text', text: 'so' }],
      error: { code: 'model_silent' },
    })
})

test('[LOOP20] a request that the server has begun to answer is not sent again after a silence, one that it has not is', async () => {
  const attempts = async (hasHeaders: boolean) => {
    let count = 0
    const ending = await callModel({
      model: {
        setup,
        // oxlint-disable-next-line require-yield
        async *reply(_, { signal, heard }) {
          count++
          if (hasHeaders) heard?.()
          if (!signal.aborted) await once(signal, 'abort')
          throw signal.reason
        },
      },
      request: { setup, messages: [], sent: 0 },
      signal: new AbortController().signal,
      onText: () => undefined,
      onRetry: () => undefined,
      times: { idleMs: 5, totalMs: 0 },
      random: () => -1,
    })
    expect(ending).toMatchObject({ stop: 'failed', error: { code: 'model_silent' } })
    expect(ending.error?.message).toContain('modelSilenceSeconds')
    return count
  }
  expect(await attempts(true)).toBe(1)
  expect(await attempts(false)).toBe(5)
})

test('[LOOP20] a reply that was cut while only thoughts had come is asked for again', async () => {
  let attempts = 0
  const { ending, retries } = await callWithRetries(
    scripted(async function* () {
      attempts++
      yield { type: 'thinking', text: 'hm' }
      if (attempts === 1) throw cutOff()
      yield { type: 'text', text: 'here' }
      yield { type: 'end', stop: 'done', usage: noUsage }
    }),
  )
  expect(attempts).toBe(2)
  expect(retries).toHaveLength(1)
  expect(ending).toMatchObject({ stop: 'done', parts: [{ text: 'hm' }, { text: 'here' }] })
})

test('[LOOP14] pieces of one kind are one part; a signature, a call or another kind ends it', async () => {
  const ending = await call(
    scripted(async function* () {
      yield { type: 'thinking', text: 'a' }
      yield { type: 'thinking', text: 'b' }
      yield { type: 'close', opaque: 'sig' }
      yield { type: 'text', text: ' c' }
      yield { type: 'text', text: 'd ' }
      yield { type: 'call', id: '1', name: 'x', args: '{ }' }
      yield { type: 'text', text: 'e' }
      yield { type: 'close', opaque: 'last' }
      yield { type: 'close', opaque: 'alone' }
      yield { type: 'end', stop: 'done', usage: noUsage }
    }),
  )
  expect(ending.parts).toEqual([
    { type: 'thinking', text: 'ab', opaque: 'sig' },
    { type: 'text', text: ' cd ' },
    { type: 'call', id: '1', name: 'x', args: '{ }' },
    { type: 'text', text: 'e', opaque: 'last' },
    { type: 'text', text: '', opaque: 'alone' },
  ])
})

test('[REC1] the draft of a reply is saved once in a while, however fast its words come', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const saved: string[] = []
  const draft = createDraftSaver((text) => saved.push(text))
  for (let ms = 1; ms <= 4 * limits.draftMs; ms += 1) {
    draft.update(`word ${ms}`)
    vi.advanceTimersByTime(1)
  }
  expect(saved).toHaveLength(4)
  expect(saved[0]).toBe(`word ${limits.draftMs}`)
})
