import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPlainText } from '../../run/plain-text.ts'
import { renderOutput } from './render-output.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const render = (text: string, cols = 80) => renderOutput(encode(text), { cols })?.text

function plain(text: string): { text: string; isExact: boolean } {
  let out = ''
  const stripper = createPlainText((more) => {
    out += more
  })
  stripper.feed(text)
  return { text: out + stripper.pending(), isExact: stripper.isExact() }
}

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

test('[EMU31] output that needs no terminal has the same text with one', () => {
  const word = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '漢', '😀', 'x'), maxLength: 60 })
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 60 }),
      fc.integer({ min: 4, max: 30 }),
      (lines, cols) => {
        const output = lines.map((line) => `${line}\r\n`).join('')
        expect(plain(output)).toEqual({ text: render(output, cols), isExact: true })
      },
    ),
    { numRuns: 300 },
  )
})

test('[EMU31] far more rows than a terminal keeps are all in the text', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `\r${index}\n`)
  expect(render(lines.join(''))).toBe(lines.join('').replaceAll('\r', ''))
})

test.each([
  ['repeats characters without end', 'x\x1b[60000b'.repeat(20_000), 60_000],
  ['takes too long', 'x\r'.repeat(100_000), 0],
])('[EMU31] output that %s is given up', (_name, output, maxMs) => {
  expect(renderOutput(encode(output), { cols: 120, maxMs })).toBe(null)
})

test('[EMU31] what a program showed on the whole screen is no output, and that is said', () => {
  const output = 'before\r\n\x1b[?1049h\x1b[Hfull screen\x1b[?1049lafter\r\n'
  expect(renderOutput(encode(output), { cols: 80 })).toEqual({
    text: 'before\nafter\n',
    alternateScreen: true,
  })
})
