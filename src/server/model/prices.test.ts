import { expect, test } from 'vitest'
import { createModels } from './models.ts'
import { priceOf, withPrices } from './prices.ts'

test('[MODEL5] a price is a person’s own, else a known one of that very model, else there is none', () => {
  const own = { 'local/qwen': { input: 0, output: 0 }, 'openai/gpt-5': { input: 9, output: 9 } }
  expect(priceOf('local/qwen', own)).toEqual({ input: 0, output: 0 })
  expect(priceOf('openai/gpt-5', own)?.input).toBe(9)
  expect(priceOf('openai/gpt-5-2025-08-07', {})).toEqual(priceOf('openai/gpt-5', {}))
  expect(priceOf('anthropic/claude-haiku-4-5-20251001', {})).toMatchObject({ input: 1, output: 5 })
  for (const model of ['openai/gpt-5-nano', 'other/gpt-5', 'openai/constructor', 'demo/offline'])
    expect(priceOf(model, {})).toBeUndefined()
})

test('[MODEL5] a known price is the provider’s own: at another address only what a person says counts', async () => {
  const priceAt = async (env: Readonly<Record<string, string>>, own = {}) => {
    const settings = { model: 'demo/offline', baseUrl: null, dialect: null, strict: null }
    const models = await createModels({ ...settings, env })
    if (!models.ok) throw new Error(models.error)
    return withPrices(models.value, own).keep('openai/gpt-5').price?.input
  }
  const elsewhere = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
  expect(await priceAt({})).toBe(1.25)
  expect(await priceAt(elsewhere)).toBeUndefined()
  expect(await priceAt(elsewhere, { 'openai/gpt-5': { input: 9, output: 9 } })).toBe(9)
})
