import fc from 'fast-check'
import { expect, test } from 'vitest'
import { thoughtsOf, thoughtWords } from '../../protocol/events/message.ts'
import { limits } from '../../protocol/limits.ts'
import { createReplyAssembly } from './assemble-reply.ts'
import type { ReplyDelta } from './model.ts'
import { createThoughts, type ThoughtNews } from './thoughts.ts'

type Said = Exclude<ReplyDelta, { type: 'end' | 'usage' }>

/** Each piece comes a second after the one before it. */
function follow(deltas: readonly ReplyDelta[]) {
  const news: ThoughtNews[] = []
  let clock = 5_000
  const thoughts = createThoughts({ now: () => clock, tell: (one) => void news.push(one) })
  for (const delta of deltas) {
    clock += 1_000
    thoughts.hear(delta)
  }
  return { news, text: news.map(({ text }) => text).join(''), ms: thoughts.thoughtMs() }
}

const call: Said = { type: 'call', id: '1', name: 'x', args: '{}' }

const anyDelta: fc.Arbitrary<Said> = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'thinking'), text: fc.string({ maxLength: 3 }) }),
  fc.constantFrom<Said>({ type: 'close' }, { type: 'close', opaque: 'sig' }, call),
)

test('[VIEW2] thoughts that are told as they come are those that are stored, however they are cut', () =>
  fc.assert(
    fc.property(fc.array(anyDelta), (deltas) => {
      const assembly = createReplyAssembly()
      for (const delta of deltas) assembly.add(delta)
      const { text, ms } = follow(deltas)
      expect(text).toBe(thoughtsOf(assembly.parts()))
      expect(ms !== undefined).toBe(deltas.some(({ type }) => type === 'thinking'))
    }),
  ))

test('[VIEW16] thinking takes from the request, or the last word, to its last sign', () => {
  const thinking = { type: 'thinking', text: 'hm' } as const
  const word = { type: 'text', text: 'so' } as const
  expect(follow([word]).ms).toBeUndefined()
  expect(follow([thinking, thinking, word, word]).ms).toBe(2_000)
  // A call's arguments come unseen, and are no thoughts.
  expect(follow([thinking, { type: 'close', opaque: 's' }, word, call]).ms).toBe(2_000)
  expect(follow([thinking, word, thinking, thinking, call]).ms).toBe(3_000)
  expect(follow([thinking, { type: 'close' }, thinking]).news.map(({ ms }) => ms)).toEqual([
    undefined,
    2_000,
    undefined,
  ])
  expect([null, 300, 12_900, 125_000].map(thoughtWords)).toEqual([
    'Thought',
    'Thought for a moment',
    'Thought for 12 s',
    'Thought for 2 min 05 s',
  ])
})

test('[VIEW16] of thoughts without an end only the beginning is told, and no character of it is cut in half', () => {
  const long = Array.from({ length: 9 }, () => ({
    type: 'thinking' as const,
    text: `${'👩'.repeat(limits.thoughtChars / 16)}x`,
  }))
  const { text } = follow(long)
  expect(text.length).toBeGreaterThan(limits.thoughtChars - 3)
  expect(text.length).toBeLessThanOrEqual(limits.thoughtChars)
  expect(Buffer.from(text).toString()).toBe(text)
})
