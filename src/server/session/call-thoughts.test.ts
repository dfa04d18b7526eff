import { expect, test } from 'vitest'
import { noUsage } from '../../log/state.ts'
import { cutOff, type Model, ModelError, type ReplyDelta } from '../model/model.ts'
import { callModel } from './call-model.ts'
import { catalogue } from '../../../test/support/simulate.ts'

const { setup } = catalogue
const request = { setup, messages: [], sent: 0 }

function scripted(reply: () => AsyncIterable<ReplyDelta>): Model {
  return { setup, reply }
}

const overloaded = new ModelError('Too many requests.', {
  code: 'model_overloaded',
  transient: true,
  retryAfterMs: 1,
})

async function callWithRetries(model: Model, signal = new AbortController().signal) {
  const silent = { onText: () => undefined, onRetry: () => undefined }
  return { ending: await callModel({ model, request, signal, ...silent }) }
}

test('[VIEW16] the thoughts of an attempt that is made again are taken back, and the time is the last one’s', async () => {
  let attempts = 0
  let clock = 0
  const told: object[] = []
  const ending = await callModel({
    model: scripted(async function* () {
      attempts++
      clock += 4_000
      yield { type: 'thinking', text: `thought ${attempts}` }
      if (attempts === 1) throw cutOff()
      yield { type: 'text', text: 'here' }
      yield { type: 'end', stop: 'done', usage: noUsage }
    }),
    request,
    signal: new AbortController().signal,
    onText: () => undefined,
    onThought: (news) => void told.push(news),
    onRetry: () => void (clock += 9_000),
    random: () => -1,
    now: () => clock,
  })
  expect(told).toEqual([
    { attempt: 1, text: 'thought 1' },
    { attempt: 2, text: '' },
    { attempt: 2, text: 'thought 2' },
    { attempt: 2, text: '', ms: 4_000 },
  ])
  expect(ending).toMatchObject({ thoughtMs: 4_000 })
})

test('[MODEL5] attempts that fail or are stopped count what the provider had reported', async () => {
  const count = (input: number, output: number) => ({ ...noUsage, input, output })
  let attempts = 0
  const { ending } = await callWithRetries(
    scripted(async function* () {
      attempts++
      yield { type: 'usage', usage: count(100, 1) }
      if (attempts <= 2) throw overloaded
      yield { type: 'text', text: 'here' }
      yield { type: 'end', stop: 'done', usage: count(100, 9) }
    }),
  )
  expect(ending).toMatchObject({ usage: count(100, 9), retried: count(200, 2) })
  const controller = new AbortController()
  const stopped = await callWithRetries(
    scripted(async function* () {
      yield { type: 'usage', usage: count(50, 3) }
      controller.abort()
      yield { type: 'text', text: 'late' }
    }),
    controller.signal,
  )
  expect(stopped.ending).toMatchObject({ stop: 'aborted', usage: count(50, 3) })
  expect(stopped.ending).not.toHaveProperty('retried')
})
