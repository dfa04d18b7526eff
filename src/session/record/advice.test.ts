import { expect, test } from 'vitest'
import { withAdvice } from './reply.ts'

const said = (message: string) =>
  withAdvice({ code: 'model_config', message, fatal: true, retryAfterMs: null }).message

test('[MODEL6] a sentence that offers a model gets no second advice', () => {
  const offer =
    'There is no such model. There are: openai/gpt-4.1. Take one with: /model openai/gpt-4.1'
  expect(said(offer)).toBe(offer)
  const key = 'OpenAI needs a key: set OPENAI_API_KEY. Or: tandem models add openai'
  expect(said(key)).toBe(key)
  expect(said('It answered 404')).toBe(
    'It answered 404. tandem models lists what there is, and /model switches.',
  )
})
