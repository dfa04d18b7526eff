import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPlainText } from '../plain-text.ts'
import { needsRender } from './needs-render.ts'
import { renderOutput } from './render-output.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const render = (text: string, cols = 80) => renderOutput(encode(text), { cols }).head

function plain(text: string): string {
  let out = ''
  const stripper = createPlainText((more) => {
    out += more
  })
  stripper.feed(text)
  return out + stripper.pending()
}

test.each([
  ['plain lines', 'a\tb\r\nc  \r\n', false],
  ['colours', '\x1b[1;38;5;9mred\x1b[m\r\n', false],
  ['a title and a link', '\x1b]0;t\x07a\x1b]8;;http://x\x1b\\b\r\n', false],
  ['a bell', 'a\x07\r\n', false],
  ['characters of several bytes', 'é漢😀\r\n', false],
  ['a progress bar', '1%\r2%\r\n', true],
  ['backspaces', 'ab\b\x1b[K\r\n', true],
  ['a cursor movement', 'a\x1b[Ab', true],
  ['erasing', 'a\x1b[2K', true],
  ['line drawing', '\x1b(0q', true],
  ['the whole screen', '\x1b[?1049h', true],
  ['a C1 control', 'a\u009b2K', true],
])('[EMU30] whether %s need a terminal to be read is known beforehand', (_name, text, needed) => {
  expect(needsRender(encode(text))).toBe(needed)
})

test.each([
  ['a progress bar is its last state', '  1%\r 50%\r100%\r\ndone\r\n', '100%\ndone\n'],
  ['what a shorter text leaves is kept', 'abcdef\rXY\r\n', 'XYcdef\n'],
  ['backspaces take back', 'abc\b \b\bX\r\n', 'aX \n'],
  [
    'lines above are rewritten',
    'a: wait\r\nb: wait\r\n\x1b[2Aa: done\x1b[B\rb: done\x1b[B\r',
    'a: done\nb: done\n',
  ],
  ['a cleared screen is gone', 'old\r\n\x1b[H\x1b[2Jnew\r\n', 'new\n'],
  ['drawn lines are lines', '\x1b(0lqk\x1b(B\r\n', '┌─┐\n'],
  ['nothing is nothing', '', ''],
])('[EMU31] %s', (_name, output, text) => {
  expect(render(output)).toBe(text)
})

test('[EMU32] output that needs no terminal has the same text with one', () => {
  const word = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '漢', '😀', 'x'), maxLength: 60 })
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 60 }),
      fc.integer({ min: 4, max: 30 }),
      (lines, cols) => {
        const output = lines.map((line) => `${line}\r\n`).join('')
        expect(needsRender(encode(output))).toBe(false)
        expect(render(output, cols)).toBe(plain(output))
      },
    ),
    { numRuns: 300 },
  )
})

test('[EMU33] far more rows than a terminal keeps are all in the text', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `\r${index}\n`)
  expect(render(lines.join(''))).toBe(lines.join('').replaceAll('\r', ''))
})

test('[EMU34] of very long output head and tail are rendered, and what lies between is counted', () => {
  const line = `${'x'.repeat(98)}\r\n`
  const bytes = encode(line.repeat(20_000))
  const { head, tail, omittedBytes } = renderOutput(bytes, { cols: 120 })
  const size = (text: string) => encode(text.replaceAll('\n', '\r\n')).length
  expect(size(head) + omittedBytes + size(tail)).toBe(bytes.length)
  expect(tail.endsWith('x\n')).toBe(true)
  expect(tail.startsWith('x'.repeat(98))).toBe(true)
})

test('[EMU35] what a program showed on the whole screen is no output, and that is said', () => {
  const output = 'before\r\n\x1b[?1049h\x1b[Hfull screen\x1b[?1049lafter\r\n'
  expect(renderOutput(encode(output), { cols: 80 })).toEqual({
    head: 'before\nafter\n',
    tail: '',
    omittedBytes: 0,
    alternateScreen: true,
  })
})
