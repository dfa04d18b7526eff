import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCast, type Size } from './cast.ts'
import { advance, clockText } from './clock.ts'
import { markBeside } from './marks.ts'
import { createPlayer } from './player.ts'

const header = { version: 2, width: 80, height: 24, timestamp: 1_000 }
const castOf = (lines: readonly unknown[]) =>
  readCast([header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))

function canvas() {
  let text = ''
  let size: Size = { rows: 0, cols: 0 }
  return {
    shown: () => ({ text, size }),
    clear(next: Size) {
      text = ''
      size = next
    },
    write: (more: string) => void (text += more),
    resize: (next: Size) => void (size = next),
  }
}

test('[TERMWEB2] a recording shows at each time what had been printed by then, however one got there', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(50), fc.string()), { maxLength: 30 }),
      fc.array(fc.nat(1_600), { maxLength: 10 }),
      (steps, times) => {
        let at = 0
        const lines = steps.map(([gap, text], n) => {
          at += gap / 1_000
          const size = n % 7 === 6
          return [Number(at.toFixed(6)), size ? 'r' : 'o', size ? `${90 + n}x30` : text]
        })
        const cast = castOf(lines)
        const seen = canvas()
        const player = createPlayer(cast, seen)
        for (const time of times) {
          player.show(time)
          const past = lines.filter(([when]) => Number(when) * 1_000 <= time)
          const texts = past.filter(([, type]) => type === 'o').map(([, , text]) => text)
          const sizes = past.filter(([, type]) => type === 'r').map(([, , size]) => size)
          expect(seen.shown().text).toBe(texts.join(''))
          expect(`${seen.shown().size.cols}x${seen.shown().size.rows}`).toBe(
            sizes.at(-1) ?? '80x24',
          )
        }
      },
    ),
  ))

test('[TERMWEB3] playing goes on in time at its speed, jumps over long silences and ends at the end', () => {
  const cast = castOf([
    [0, 'o', 'a'],
    [1, 'o', 'b'],
    [3_600, 'o', 'c'],
  ])
  expect(cast.startMs).toBe(1_000_000)
  expect(cast.lengthMs).toBe(3_600_000)
  expect(advance(cast, 0, { ms: 100, speed: 1 })).toBe(100)
  expect(advance(cast, 0, { ms: 100, speed: 4 })).toBe(400)
  // An hour of nothing becomes two seconds.
  expect(advance(cast, 1_000, { ms: 100, speed: 1 })).toBe(3_598_100)
  expect(advance(cast, 3_599_950, { ms: 100, speed: 1 })).toBe(3_600_000)
  expect([clockText(65_000), clockText(3_723_000)]).toEqual(['1:05', '1:02:03'])
})

test('[TERMWEB4] the marks of runs are walked through in both directions', () => {
  const marks = [1_000, 2_000, 9_000].map((at) => ({ at, label: 'x' }))
  const beside = (at: number, way: 'before' | 'after') => markBeside(marks, at, way)?.at ?? null
  expect([beside(0, 'after'), beside(2_000, 'after'), beside(9_000, 'after')]).toEqual([
    1_000,
    9_000,
    null,
  ])
  expect([beside(9_500, 'before'), beside(9_600, 'before'), beside(800, 'before')]).toEqual([
    2_000,
    9_000,
    null,
  ])
})
