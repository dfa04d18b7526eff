import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { extendTail, noText } from './entry.ts'

test('[VIEW2] live output is always a true stretch of what was printed, whatever pieces arrive', () =>
  fc.assert(
    fc.property(
      fc.string({ maxLength: 60 }),
      fc.array(fc.tuple(fc.nat(60), fc.nat(20))),
      (printed, pieces) => {
        let live = noText
        for (const [at, length] of pieces)
          live = extendTail(live, Math.min(at, printed.length), printed.slice(at, at + length))
        expect(printed.slice(live.from, live.from + live.text.length)).toBe(live.text)
      },
    ),
  ))
