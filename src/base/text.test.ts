import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clip, smallestClip, whole } from './text.ts'

const text = fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' })
const cap = fc.integer({ min: smallestClip, max: 2_500 })

test('[TR6] a clipped text is never longer than its cap', () =>
  fc.assert(
    fc.property(text, text, fc.nat(1_000_000), cap, (head, tail, omittedChars, max) => {
      expect(clip({ head, tail, omittedChars }, max).length).toBeLessThanOrEqual(max)
    }),
  ))

test('[TR6] a clipped text says exactly how many characters it left out, and keeps head and tail', () =>
  fc.assert(
    fc.property(text, text, fc.nat(1_000_000), cap, (head, tail, omittedChars, max) => {
      const clipped = clip({ head, tail, omittedChars }, max)
      const total = head.length + tail.length + omittedChars
      if (omittedChars === 0 && total <= max) {
        expect(clipped).toBe(head + tail)
        return
      }
      // The text itself may hold what looks like a notice: the real one is where both sides fit.
      const isExact = [...clipped.matchAll(/\n\[… (\d+) characters left out …\]\n/g)].some(
        (notice) => {
          const front = clipped.slice(0, notice.index)
          const back = clipped.slice(notice.index + notice[0].length)
          const all = omittedChars === 0 ? head + tail : null
          return (
            (all ?? head).startsWith(front) &&
            (all ?? tail).endsWith(back) &&
            front.length + back.length + Number(notice[1]) === total
          )
        },
      )
      expect(isExact).toBe(true)
    }),
  ))

test('[TR6] a clipped text never ends or begins with half a character', () => {
  const emoji = '👩'.repeat(500)
  for (let max = smallestClip; max < 200; max++) {
    const clipped = clip(whole(emoji), max)
    expect(Buffer.from(clipped).toString()).toBe(clipped)
  }
})
