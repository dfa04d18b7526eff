import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../../protocol/limits.ts'
import { createLineWindow } from './read-text.ts'

function seen(pieces: readonly string[], range: { from: number; to: number } | null = null) {
  const window = createLineWindow(range)
  for (const piece of pieces) window.add(piece)
  return window.end()
}

test('[AT11] a short text is shown as it is, also with other line ends and none at its end', () => {
  for (const text of ['', 'a', 'a\n', 'a\r\nb\r\n', '\n\n', 'a\rb', 'a\n\r\nb'])
    expect(seen([text])).toMatchObject({ text, isClipped: false, chars: text.length })
  expect(seen(['a\nb\nc']).lines).toBe(3)
  expect(seen(['a\nb\nc\n']).lines).toBe(3)
  expect(seen(['']).lines).toBe(0)
})

test('[AT11] a long text keeps its head and its tail, and the middle is counted exactly', () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}\n`)
  const { text, isClipped } = seen([lines.join('')])
  expect(isClipped).toBe(true)
  expect(text.length).toBeLessThanOrEqual(limits.mentionChars)
  expect(text.length).toBeGreaterThan(limits.mentionChars * 0.95)
  const [, count, chars] = /\n\[… (\d+) lines \((\d+) characters\) left out …\]\n/.exec(text) ?? []
  const [head = '', tail = ''] = text.split(/\[…[^\]]*…\]\n/)
  const left = lines.join('').slice(head.length, lines.join('').length - tail.length)
  expect(lines.join('').startsWith(head) && lines.join('').endsWith(tail)).toBe(true)
  expect([Number(count), Number(chars)]).toEqual([left.split('\n').length - 1, left.length])
})

test('[AT11] a line that is too long is cut, its rest counted, its end kept', () => {
  const long = 'x'.repeat(limits.mentionLineChars)
  expect(seen([`${long}\nb`])).toMatchObject({ text: `${long}\nb`, isClipped: false })
  expect(seen([`${long}\r\nb`])).toMatchObject({ text: `${long}\r\nb`, isClipped: false })
  expect(seen([`${long}yz\r\nb`]).text).toBe(`${long} [… 2 characters left out …]\r\nb`)
  const half = `${'x'.repeat(limits.mentionLineChars - 1)}😀`
  expect(seen([half]).text).toBe(`${half.slice(0, -2)} [… 2 characters left out …]`)
})

test('[AT11] of a range its lines are shown, and all lines counted', () => {
  const text = 'a\nb\nc\nd'
  expect(seen([text], { from: 2, to: 3 })).toMatchObject({ text: 'b\nc\n', lines: 4 })
  expect(seen([text], { from: 4, to: 9 })).toMatchObject({ text: 'd', lines: 4 })
  expect(seen([text], { from: 5, to: 9 })).toMatchObject({ text: '', lines: 4 })
})

test('[AT11] how a text is cut into pieces changes nothing, and no bound is passed', () => {
  const word = fc.oneof(
    fc.constantFrom('\n', '\r\n', '\r', 'a', '😀'),
    fc.nat(5_000).map((length) => 'x'.repeat(length)),
  )
  const range = fc.option(fc.record({ from: fc.integer({ min: 1, max: 5 }), more: fc.nat(20) }))
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), range, (pieces, asked) => {
      const lines = asked && { from: asked.from, to: asked.from + asked.more }
      const whole = seen([pieces.join('')], lines)
      expect(seen(pieces, lines)).toEqual(whole)
      expect(whole.text.length).toBeLessThanOrEqual(limits.mentionChars)
      expect(whole.chars).toBe(pieces.join('').length)
    }),
  )
})
