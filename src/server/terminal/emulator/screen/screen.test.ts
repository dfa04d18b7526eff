import { expect, test } from 'vitest'
import { createScreen, type ScreenOptions } from './screen.ts'

const encode = (text: string) => new TextEncoder().encode(text)

function screenOf(output: string, options: Partial<ScreenOptions> = {}) {
  const screen = createScreen({ cols: 20, rows: 5, ...options })
  screen.write(encode(output), 0)
  return screen
}

function answersTo(output: string, options: Partial<ScreenOptions> = {}): readonly string[] {
  const answers: string[] = []
  screenOf(output, { ...options, answer: (text) => answers.push(text) })
  return answers
}

test.each([
  ['DA1', '\x1b[c', '\x1b[?1;2c'],
  ['DA2', '\x1b[>c', '\x1b[>0;276;0c'],
  ['DSR', '\x1b[5n', '\x1b[0n'],
  ['CPR', 'ab\r\nc\x1b[6n', '\x1b[2;2R'],
  ['CPR behind the last column', `${'x'.repeat(20)}\x1b[6n`, '\x1b[1;20R'],
  ['DECRQM', '\x1b[?2004h\x1b[?2004$p', '\x1b[?2004;1$y'],
  ['DECRQSS', '\x1b[2;4r\x1bP$qr\x1b\\', '\x1bP1$r2;4r\x1b\\'],
  ['the size', '\x1b[18t', '\x1b[8;5;20t'],
  ['OSC 10', '\x1b]10;?\x07', '\x1b]10;rgb:d4d4/d4d4/d4d4\x1b\\'],
  ['OSC 11', '\x1b]11;?\x1b\\', '\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\'],
])('[LANE16] a program that asks for %s is answered', (_name, query, answer) => {
  expect(answersTo(query)).toEqual([answer])
})

test('[LANE16] output that is replayed is not answered again', () => {
  const answers: string[] = []
  const screen = createScreen({ cols: 20, rows: 5, answer: (text) => answers.push(text) })
  screen.replay(encode('\x1b[c\x1b]11;?\x07'), 0)
  screen.restore({ offset: 9, cols: 20, rows: 5, data: '\x1b[c' })
  expect(answers).toEqual([])
})

test('[EMU8] a count no screen has room for ends at the screen', { timeout: 5_000 }, () => {
  const counts = 'STLMPX@IZb'.split('').map((final) => `\x1b[2147483647${final}`)
  const others = [
    '\x1b[2147483647 @',
    '\x1b[2147483647 A',
    "\x1b[2147483647'}",
    "\x1b[2147483647'~",
  ]
  const screen = screenOf(`x${counts.join('x')}${others.join('x')}\x1b[2J\x1b[Halive`)
  expect(screen.text()).toBe('alive')
})

test('[EMU8] erasing up to the last cell of the screen erases it', () => {
  const screen = screenOf(`some text\x1b[99;99Hx\x1b[1J\x1b[?1J`)
  expect(screen.text()).toBe('')
})

test.each([
  [0, 0],
  [-1, 1],
  [1e9, 1e9],
  [2.5, Number.NaN],
])('[EMU8] a size of %d × %d is brought into what a terminal can have', (cols, rows) => {
  const screen = screenOf('some text that goes on')
  screen.resize({ cols, rows })
  const { cols: width, rows: height } = screen.snapshot()
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(2)
  expect(Math.max(width, height)).toBeLessThanOrEqual(1_000)
})

test('[EMU8] the text of a screen has wrapped rows joined and no blank end', () => {
  const screen = screenOf(
    'a line that is longer than twenty columns  \r\n漢字漢字漢字漢字漢字x漢字\r\n\r\nend  \r\n',
  )
  expect(screen.text({ lines: 10 })).toBe(
    'a line that is longer than twenty columns\n漢字漢字漢字漢字漢字x漢字\n\nend',
  )
})

test('[EMU8] rows above the screen come only when asked for', () => {
  const screen = screenOf(Array.from({ length: 9 }, (_, index) => `line ${index}`).join('\r\n'))
  expect(screen.text()).toBe('line 4\nline 5\nline 6\nline 7\nline 8')
  expect(screen.text({ lines: 1 })).toBe('line 3\nline 4\nline 5\nline 6\nline 7\nline 8')
})

test('[EMU8] on request the text keeps its colours', () => {
  const screen = screenOf('\x1b[31mred\x1b[0m  \x1b[1;44mbold\x1b[m.')
  expect(screen.text({ ansi: true })).toBe('\x1b[0;31mred\x1b[0m  \x1b[0;1;44mbold\x1b[0m.')
})

test('[EMU8] a program that takes the whole screen is noticed, and that it gave it back', () => {
  const seen: boolean[] = []
  const screen = screenOf('\x1b[?1049hfull', { onAlternate: (on) => seen.push(on) })
  expect({ now: screen.isAlternate(), text: screen.text() }).toEqual({ now: true, text: 'full' })
  screen.write(encode('\x1b[?1049l'), 12)
  expect({ now: screen.isAlternate(), seen }).toEqual({ now: false, seen: [true, false] })
})
