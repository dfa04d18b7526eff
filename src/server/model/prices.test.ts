import { expect, test } from 'vitest'
import { priceOf } from './prices.ts'

test('[MODEL5] a price is a person’s own, else a known one of that very model, else there is none', () => {
  const own = { 'local/qwen': { input: 0, output: 0 }, 'openai/gpt-5': { input: 9, output: 9 } }
  expect(priceOf('local/qwen', own)).toEqual({ input: 0, output: 0 })
  expect(priceOf('openai/gpt-5', own)?.input).toBe(9)
  expect(priceOf('openai/gpt-5-2025-08-07', {})).toEqual(priceOf('openai/gpt-5', {}))
  expect(priceOf('anthropic/claude-haiku-4-5-20251001', {})).toMatchObject({ input: 1, output: 5 })
  for (const model of ['openai/gpt-5-nano', 'other/gpt-5', 'openai/constructor', 'demo/offline'])
    expect(priceOf(model, {})).toBeUndefined()
})
