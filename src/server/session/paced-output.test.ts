import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPacedOutput, type Output } from './live.ts'

const room = 64 * 1024
const newest = 16 * 1024

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function fixture() {
  const told: Output[] = []
  return { told, output: createPacedOutput((piece) => told.push(piece)) }
}

test('[RUN14] output that a person could follow is told whole and at once', () => {
  const { told, output } = fixture()
  for (let line = 0; line < 100; line += 1) {
    output.push(`line ${line}\n`)
    expect(told.at(-1)!.text).toBe(`line ${line}\n`)
    vi.advanceTimersByTime(1)
  }
  expect(told.every((piece, at) => at === 0 || piece.offset === end(told[at - 1]!))).toBe(true)
})

test('[RUN14] of a flood the head is told at once, then the newest whole lines at a steady pace', () => {
  const { told, output } = fixture()
  let printed = ''
  for (let ms = 0; ms < 1_000; ms += 1) {
    const text = `${String(ms).padStart(63, '.')}\n`.repeat(1_000)
    printed += text
    output.push(text)
    vi.advanceTimersByTime(1)
  }
  output.flush()
  expect(told[0]).toEqual({ offset: 0, text: printed.slice(0, 64_000) })
  expect(told.length).toBeLessThan(30)
  for (const { offset, text } of told)
    expect(printed.slice(offset, offset + text.length)).toBe(text)
  for (const { text } of told.slice(2)) expect(text.length % 64).toBe(0)
  expect(end(told.at(-1)!)).toBe(printed.length)
})

test('[RUN14] what was held back is told before the end, and nothing after it', () => {
  const { told, output } = fixture()
  output.push('x'.repeat(room + 10))
  expect(told.map(({ text }) => text.length)).toEqual([room])
  output.flush()
  expect(told.at(-1)).toEqual({ offset: room, text: 'x'.repeat(10) })
  vi.advanceTimersByTime(1_000)
  expect(told.length).toBe(2)
})

test('[RUN14] a long line without an end is cut between characters', () => {
  const { told, output } = fixture()
  output.push(`x${'😀'.repeat(room)}`)
  output.push('😀'.repeat(newest))
  output.flush()
  expect(told.some(({ text }) => /\p{Surrogate}/u.test(text))).toBe(false)
})

test('[RUN14] every piece stands where its offset says, whatever the pieces and the pauses', () => {
  const push = fc.record({ chars: fc.nat(100_000), ms: fc.nat(120) })
  fc.assert(
    fc.property(fc.array(push, { maxLength: 40 }), (pushes) => {
      const { told, output } = fixture()
      let printed = ''
      for (const { chars, ms } of pushes) {
        const text = `${printed.length}\n`.repeat(chars).slice(0, chars)
        printed += text
        output.push(text)
        vi.advanceTimersByTime(ms)
      }
      output.flush()
      let at = 0
      for (const { offset, text } of told) {
        expect(offset).toBeGreaterThanOrEqual(at)
        expect(printed.startsWith(text, offset)).toBe(true)
        at = offset + text.length
      }
      expect(at).toBe(printed.length)
      const joined = output.newest()
      expect(joined.offset + joined.text.length).toBe(printed.length)
      expect(joined.text).toBe(printed.slice(joined.offset))
      expect(joined.text.length).toBe(Math.min(printed.length, 100_000))
    }),
    { numRuns: 50 },
  )
})

const end = ({ offset, text }: Output) => offset + text.length
