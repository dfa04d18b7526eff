import fc from 'fast-check'
import { expect, test } from 'vitest'
import { takeSgr, plainPen } from '../../base/sgr.ts'
import { terminalLines, terminalText } from './terminal-lines.ts'

test.each([
  ['one\r\ntwo\r\n', 'one\ntwo\n'],
  ['10%\r100%\r\n', '100%\n'],
  ['working…\r\x1b[Kdone\n', 'done\n'],
  ['abc\b\bX\n', 'aXc\n'],
  ['left\x1b[2Kgone\n', '    gone\n'],
  ['a\tb\n', 'a       b\n'],
  ['ab\x1b[1;31mred\x1b[0m\n', 'abred\n'],
  ['\x1b]0;a title\x07shown\n', 'shown\n'],
  ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n', 'link\n'],
  ['before\n\x1b[?1049hwhole\nscreen\x1b[?1049lafter\n', 'before\nafter\n'],
  ['no end', 'no end\n'],
  ['\x07\x00bell\n', 'bell\n'],
  ['', ''],
])('[EXP1] output is told as it finally stood, without its sequences: %j', (raw, text) => {
  expect(terminalText(raw)).toBe(text)
})

test('[EXP1] text without controls stays as it is', () =>
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }).map(plain), { minLength: 1 }), (lines) => {
      const text = lines.map((line) => `${line}\n`).join('')
      expect(terminalText(text)).toBe(lines.map((line) => `${line.trimEnd()}\n`).join(''))
    }),
  ))

const plain = (text: string) => text.replaceAll(/[\0-\x1f\x7f]/g, '')

test('[EXP1] colours are read from 16, 256 and all, and end where they end', () => {
  const [line] = terminalLines(
    'a\x1b[1;31mb\x1b[38;5;208mc\x1b[48;2;1;2;255md\x1b[22;39;49me\x1b[mf',
  )
  expect(line).toEqual([
    { text: 'a', pen: plainPen },
    { text: 'b', pen: { ...plainPen, bold: true, ink: 1 } },
    { text: 'c', pen: { ...plainPen, bold: true, ink: 208 } },
    { text: 'd', pen: { ...plainPen, bold: true, ink: 208, ground: '#0102ff' } },
    { text: 'e', pen: { ...plainPen } },
    { text: 'f', pen: { ...plainPen } },
  ])
})

test('[EXP1] whatever a colour says, a look has only colours in it', () =>
  fc.assert(
    fc.property(fc.stringMatching(/^[\d;:]{0,30}$/), (parameters) => {
      const { ink, ground } = takeSgr(plainPen, parameters)
      for (const colour of [ink, ground])
        expect(String(colour)).toMatch(/^(null|\d{1,3}|#[0-9a-f]{6})$/)
    }),
  ))
