import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLog } from '../../../../test/client/logs.ts'
import { viewOf } from '../../../view/fold/entries.ts'
import { readCast, type Size, markBeside, runMarks } from './cast.ts'
import { clockText } from './controls.tsx'
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
          player(time)
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

test('[TERMWEB2] of a silence in a recording two seconds are left, and places and moments still tell each other', () =>
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(3_000), fc.nat(1e9)), { minLength: 1, maxLength: 30 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (gaps, share) => {
        let at = 0
        const times = gaps.map((gap) => (at += gap))
        const cast = castOf(times.map((time) => [time / 1_000, 'o', 'x']))
        const start = header.timestamp * 1_000
        let place = 0
        for (const [index, gap] of gaps.entries()) {
          place += Math.min(gap, 2_000)
          expect(cast.placeOf(start + times[index]!)).toBeCloseTo(place, 3)
          // It is drawn from there on, with all that came at the same time.
          expect(cast.countAt(place + 0.001)).toBeGreaterThan(index)
        }
        expect(cast.lengthMs).toBeCloseTo(place, 3)
        expect(cast.momentAt(cast.lengthMs)).toBeCloseTo(start + at, 3)
        const somewhere = share * cast.lengthMs
        expect(cast.placeOf(cast.momentAt(somewhere))).toBeCloseTo(somewhere, 3)
      },
    ),
  ))

test('[TERMWEB2] in an hour of silence an hour of chat is shown', () => {
  const cast = castOf([
    [1, 'o', 'a'],
    [3_601, 'o', 'b'],
  ])
  const minute = 60_000
  expect(cast.lengthMs).toBe(3_000)
  expect(cast.momentAt(2_000)).toBe(1_001_000 + 30 * minute)
  expect(cast.placeOf(1_001_000 + 15 * minute)).toBe(1_500)
  // What was before it, or came later.
  expect([cast.placeOf(0), cast.placeOf(9e12)]).toEqual([0, 3_000])
  expect([clockText(65_000), clockText(3_723_000)]).toEqual(['1:05', '1:02:03'])
})

test('[TERMWEB2] the marks of runs are where they began, and are walked through in both directions', () => {
  const log = createLog()
  log.start()
  const asked = log.call('make')
  log.prompt('meanwhile')
  const typed = log.runStart(null, 'ls')
  log.runEnd(typed, 0)
  const made = log.runStart(asked, 'make')
  log.call('never')
  const at = (seq: number) => log.events()[seq - 1]?.at
  expect(runMarks(viewOf(log.events()))).toEqual([at(typed), at(made)])

  const marks = [1_000, 2_000, 9_000]
  const beside = (moment: number, way: 'before' | 'after') => markBeside(marks, moment, way)
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
