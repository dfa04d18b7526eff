import { expect, test } from 'vitest'
import { askOnce } from './openai-read.ts'
import { listText, modelsOf, startPlain } from './plain-server.ts'

/** A server whose list of models fails until it is mended, and the time as this test has it. */
async function startFailing() {
  let isUp = false
  let at = 1_000_000
  const baseUrl = await startPlain((_, answer) => {
    answer.statusCode = isUp ? 200 : 503
    answer.end(listText('m1', 'm2'))
  })
  return {
    baseUrl,
    clock: () => at,
    mend() {
      isUp = true
      // One that failed is asked for again after a while.
      at += 60_000
    },
  }
}

test('[MODEL35] a list that could not be had at the start is asked for again before a session takes the demo', async () => {
  const { baseUrl, clock, mend } = await startFailing()
  const models = await modelsOf({ providers: { mine: { baseUrl } } }, { clock })
  expect(models.initial().model).toBe('demo/offline')
  mend()
  await models.settled(5_000)
  expect(models.initial().model).toBe('mine/m1')
})

test('[MODEL35] a session that is on the demo hears of a list that comes later', async () => {
  const { baseUrl, clock, mend } = await startFailing()
  const models = await modelsOf({ providers: { mine: { baseUrl } } }, { clock })
  const demo = models.initial()
  mend()
  const opened = await models.open(demo)
  if (!opened.ok) throw new Error(opened.error)
  const { parts } = await askOnce(opened.value)
  expect(parts).toMatchObject([{ text: expect.stringMatching(/\/model mine\/m1$/) }])
})

test('[MODEL35] a model that is not known at the start is the first of a list that comes later', async () => {
  const { baseUrl, clock, mend } = await startFailing()
  const compatible = await modelsOf({ baseUrl }, { clock })
  const named = await modelsOf({ model: 'mine', providers: { mine: { baseUrl } } }, { clock })
  expect(compatible.initial().model).toBe('openai-compatible/default')
  mend()
  await Promise.all([compatible.settled(5_000), named.settled(5_000)])
  expect(compatible.initial().model).toBe('openai-compatible/m1')
  expect(named.initial().model).toBe('mine/m1')
})

test('[CMD6] an epoch of one protocol is not sent to a provider that was set up for another since', async () => {
  const baseUrl = await startPlain((_, answer) => void answer.end(listText('m1')))
  const setUp = (wire: 'openai-chat' | 'anthropic') =>
    modelsOf({ providers: { mine: { baseUrl, wire, models: ['m1'] } } })
  const before = (await setUp('openai-chat')).initial()
  const says = expect.stringMatching(/another protocol now \(anthropic\) than mine\/m1 had/)
  expect(await (await setUp('anthropic')).open(before)).toEqual({ ok: false, error: says })
  expect((await (await setUp('openai-chat')).open(before)).ok).toBe(true)
})
