import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLeftModes } from './left-modes.ts'

/** The sequences that a command of 24 rows prints, and what takes back what it left. */
function left(...pieces: readonly string[]): string {
  const modes = createLeftModes(() => 24)
  modes.follow('C', 0)
  for (const piece of pieces) modes.feed(Buffer.from(piece, 'latin1'))
  return modes.follow('D', 0)
}

const modes: readonly { set: string; undo: string; back?: string }[] = [
  ...['1', '5', '9', '66', '1000', '1002', '1003', '1004', '1006', '2004', '2026'].map((mode) => ({
    set: `\x1b[?${mode}h`,
    undo: `\x1b[?${mode}l`,
  })),
  ...['47', '1047', '1049'].map((mode) => ({ set: `\x1b[?${mode}h`, undo: `\x1b[?${mode}l` })),
  ...['7', '25'].map((mode) => ({ set: `\x1b[?${mode}l`, undo: `\x1b[?${mode}h` })),
  { set: '\x1b[?6h', undo: '\x1b7\x1b[?6l\x1b8', back: '\x1b[?6l' },
  { set: '\x1b[4h', undo: '\x1b[4l' },
  { set: '\x1b[20h', undo: '\x1b[20l' },
  { set: '\x1b=', undo: '\x1b>' },
  { set: '\x1b(0', undo: '\x1b(B' },
  { set: '\x1b)0', undo: '\x0f\x1b)B', back: '\x1b)B' },
  { set: '\x1b[2;10r', undo: '\x1b7\x1b[r\x1b8', back: '\x1b[1;24r' },
  { set: '\x1b[>1u', undo: '\x1b[<1u', back: '\x1b[<u' },
  { set: '\x1b[=5;1u', undo: '\x1b[=0u' },
  { set: '\x1b[>4;2m', undo: '\x1b[>4m', back: '\x1b[>4;m' },
  { set: '\x1b]12;red\x07', undo: '\x1b]112\x1b\\' },
  { set: '\x1b]8;id=1;http://x\x1b\\', undo: '\x1b]8;;\x1b\\' },
  ...['1', '1;31', '38;5;1', '48;2;0;0;0', '4:3', '0;7', '38:2::1:2:3'].map((look) => ({
    set: `\x1b[${look}m`,
    undo: '\x1b[m',
  })),
]

test.each(modes)('[TERM232] $set is taken back, once', ({ set, undo, back = undo }) => {
  expect(left(`a${set}b`)).toBe(undo)
  expect(left(set, set)).toBe(set.endsWith('u') && set.includes('>') ? '\x1b[<2u' : undo)
  expect(left(set, back)).toBe('')
  expect(left(set, '\x1bc')).toBe('')
})

test('[TERM232] several are taken back together, the screen first', () => {
  expect(left('\x1b[?1002;1006h\x1b[31m\x1b[>1u\x1b[?1049h\x1b[?25l')).toBe(
    '\x1b[<1u\x1b[?1049l\x1b[<1u\x1b[?25h\x1b[?1002l\x1b[?1006l\x1b[m',
  )
})

test.each([
  ['colours that are closed one by one', '\x1b[1;4;31;48;5;3mx\x1b[22m\x1b[24m\x1b[39m\x1b[49m'],
  ['numbers inside a colour', '\x1b[38;2;1;4;7m\x1b[39m\x1b[48;5;31m\x1b[49m'],
  ['title, shape of the cursor, theme, tab stops', '\x1b]0;t\x07\x1b[5 q\x1b]11;#fff\x07\x1bH'],
  ['questions', '\x1b[c\x1b[6n\x1b]12;?\x07\x1b[?u\x1b[?2026$p\x1b[>q'],
  [
    'modes that are turned off',
    '\x1b[?2004l\x1b[?1l\x1b>\x1b[4l\x1b[<u\x1b[=0u\x1b[>4;0m\x1b[?25h',
  ],
  ['a region of the whole screen', '\x1b[1;24r\x1b[r\x1b[0;24r'],
  ['saved modes', '\x1b[?1;1049s\x1b[?1;1049r\x1b[s\x1b[u'],
  ['a sequence that was broken off', '\x1b[?10'],
])('[TERM232] nothing is written for %s', (_what, output) => {
  expect(left(output)).toBe('')
})

test('[TERM232] what stood before the command, or came without one, is not its own', () => {
  const modes = createLeftModes(() => 24)
  modes.feed(Buffer.from('\x1b[?1004h'))
  expect(modes.follow('D', 0)).toBe('')
  modes.follow('C', 0)
  modes.follow('C', 1)
  modes.feed(Buffer.from('\x1b[?1049h'))
  modes.follow('L', 1)
  expect(modes.follow('D', 0)).toBe('\x1b[?1049l')
  expect(modes.follow('D', 0)).toBe('')
})

test('[TERM232] it does not depend on where a stream is cut, and taking back leaves nothing', () => {
  const part = fc.constantFrom(
    ...modes.flatMap(({ set, undo }) => [set, undo]),
    'text',
    '\x1b',
    '\x1b[',
    '\x1b]0;title\x07',
    '\x1bP1$r\x1b\\',
    '\x1b[2J',
    '\x1bc',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(80)), (parts, cuts) => {
      const whole = parts.join('')
      const at = [0, ...cuts.toSorted((one, other) => one - other), whole.length]
      const pieces = at.slice(1).map((to, index) => whole.slice(at[index], to))
      const undo = left(whole)
      expect(left(...pieces)).toBe(undo)
      expect(left(whole, undo)).toBe('')
    }),
    { numRuns: 2000 },
  )
})
