import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCapture } from './output.ts'
import { createPlainText } from './plain-text.ts'

function plain(pieces: readonly string[]): string {
  let text = ''
  const stripper = createPlainText((more) => {
    text += more
  })
  for (const piece of pieces) stripper.feed(piece)
  return text + stripper.pending()
}

const part = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\r',
    '\n',
    '\r\n',
    '\b',
    '\x1b',
    '\x1b[',
    '\x1b[2K',
    '\x1b[K',
    '\x1b[1;31m',
    '\x07',
  ),
  fc.constantFrom(
    '\x1b]0;title\x07',
    '\x1b]8;;http://a\x1b\\',
    '\x1bP',
    '\x1b(B',
    '\x18',
    'é漢😀',
    '50%',
  ),
)

test('[TERM30] where output is cut does not change its plain text', () => {
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat(12)), (parts, sizes) => {
      const whole = parts.join('')
      const pieces: string[] = []
      let at = 0
      for (const size of sizes) {
        pieces.push(whole.slice(at, at + size))
        at += size
      }
      expect(plain([...pieces, whole.slice(at)])).toBe(plain([whole]))
    }),
    { numRuns: 2000 },
  )
})

test('[TERM41] text without control characters stays as it is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', ' ', '\t', '\n', 'é', '漢', '😀') }),
      (text) => {
        expect(plain([text.replaceAll('\n', '\r\n')])).toBe(text)
      },
    ),
  )
})

test.each([
  ['colours are taken out', '\x1b[1;31mred\x1b[0m\r\n', 'red\n'],
  ['a progress bar is its last state', '10%\r50%\r100%\r\ndone\r\n', '100%\ndone\n'],
  ['an erased line is gone', 'working…\r\x1b[Kdone\r\n', 'done\n'],
  ['backspaces take back', 'abc\b\bX\r\n', 'aX\n'],
  ['a title is taken out', '\x1b]0;t\x07a\x1b]0;u\x1b\\b', 'ab'],
  ['a window full of controls', '\x1b[?1049h\x1b[2J\x1b(Bx\x1b=\x07', 'x'],
  ['tabs and blanks stay', '\ta  \r\n', '\ta  \n'],
])('[TERM41] %s', (_rule, output, text) => {
  expect(plain([output])).toBe(text)
})

test.each([
  ['plain lines', 'a\tb\r\nc  \r\n', true],
  ['a line end of its own kind', 'a\r\r\nb\n', true],
  ['colours', '\x1b[1;38;5;9mred\x1b[m\r\n', true],
  ['what grep marks', '\x1b[01;31m\x1b[Kx\x1b[m\x1b[K\ty\r\n', true],
  ['a title and a link', '\x1b]0;t\x07a\x1b]8;;http://x\x1b\\b\r\n', true],
  ['a bell, a hidden cursor and a question', 'a\x07\x1b[?25l\x1b[c\x1b(B\x1b[?2004h\r\n', true],
  ['characters of several bytes', 'é漢😀\r\n', true],
  ['a progress bar', '1%\r2%\r\n', false],
  ['backspaces', 'ab\b\r\n', false],
  ['a cursor movement', 'a\x1b[Ab', false],
  ['erasing', 'a\x1b[2K', false],
  ['erasing what was written', 'a\r\x1b[Kb', false],
  ['line drawing', '\x1b(0q', false],
  ['the whole screen', '\x1b[?1049h', false],
  ['a C1 control', 'a\u009b2K', false],
])('[TERM41] whether %s can be read without a terminal is known', (_name, text, isExact) => {
  for (const pieces of [[text], text.split('')]) {
    const stripper = createPlainText(() => {})
    for (const piece of pieces) stripper.feed(piece)
    expect(stripper.isExact()).toBe(isExact)
  }
})

test('[TERM43] a capture keeps head and tail and counts what lies between exactly', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 6 }), (lengths) => {
      const capture = createCapture()
      let whole = ''
      for (const [index, length] of lengths.entries()) {
        const text = `${String(index).repeat(length)}\n`
        whole += text
        capture.feed(text)
      }
      const { head, tail, omittedChars } = capture.result()
      expect(whole.startsWith(head)).toBe(true)
      expect(whole.endsWith(tail)).toBe(true)
      expect(head.length + tail.length + omittedChars).toBe(whole.length)
      expect(Math.max(head.length, tail.length)).toBeLessThanOrEqual(256 * 1024)
    }),
    { numRuns: 50 },
  )
})
