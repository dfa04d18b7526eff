import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAnsi, plainText } from './ansi.ts'
import { piecesOf, printable, printableLine } from './hidden-characters.ts'

test('[WEB14] output becomes coloured text and nothing else, whatever sequences are in it', () => {
  expect(parseAnsi('a\x1b[1;31mb\x1b[22mc\x1b[0m\x1b[38;5;196md\x1b[48;2;1;2;3me\x1b[m')).toEqual([
    { text: 'a', look: {} },
    { text: 'b', look: { bold: true, fg: '1' } },
    { text: 'c', look: { fg: '1' } },
    { text: 'd', look: { fg: '#ff0000' } },
    { text: 'e', look: { fg: '#ff0000', bg: '#010203' } },
  ])
  expect(
    plainText('\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\x1b[2J\x1b(B\x1bPx\x1b\\!'),
  ).toBe('link!')
  expect(plainText('10%\r50%\r100%\r\ndone\r\n')).toBe('100%\ndone\n')
  const pieces = [
    '\x1b',
    '[',
    ']',
    '0',
    ';',
    'm',
    '31',
    '\x07',
    '\\',
    'P',
    'text',
    '\n',
    '\r',
    '\x9b',
    '\x00',
    '🖥',
  ]
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces)).map((each) => each.join('')),
      (output) => {
        expect(plainText(output)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
      },
    ),
  )
})

test('[WEB14] a line of half a megabyte is shown at once, and of one that was written over the last writing', () => {
  expect(plainText('x'.repeat(500_000)).length).toBe(500_000)
  expect(plainText('a\r\rb\r')).toBe('b')
  expect(plainText('half of a word\r\x1b[Kdone\nab\b\bcd\n')).toBe('done\ncd\n')
  expect(parseAnsi('\x1b[31mred\rgone\x1b[0m\rlast')).toEqual([{ text: 'last', look: {} }])
})

test('[WEB14] every character that cannot be seen is named, and all others stay', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (command) => {
      const pieces = piecesOf(command)
      const shown = pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : [])).join('')
      expect(shown).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|(?![\n\t])\p{Cc}|(?! )\p{Zs}/u)
      const named = pieces.filter((piece) => piece.kind === 'hidden').length
      const count = (text: string) => Array.from(text).length
      expect(count(shown) + named).toBe(count(command))
    }),
    { numRuns: 300 },
  ))

test('[CLI4] text of others cannot steer a terminal or hide in it', () => {
  expect(printable('a\tb\r\n\u001b[2Jc')).toBe('a\tb\n\\x1b[2Jc')
  expect(printableLine('rm -rf \u202ex\n--no-preserve-root')).toBe(
    'rm -rf \\u202ex⏎--no-preserve-root',
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
    }),
  )
})

test('[CLI4] a command line at a terminal names every character that the page names', () => {
  expect(printableLine('rm\u00a0-rf \u{e0041}\u2800\ufe0f')).toBe(
    'rm\\xa0-rf \\u{e0041}\\u2800\\ufe0f',
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (command) => {
      expect(piecesOf(printableLine(command)).filter(({ kind }) => kind === 'hidden')).toEqual([])
    }),
  )
})
