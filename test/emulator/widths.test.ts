import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderOutput } from '../../src/server/terminal/emulator/output/render-output.ts'
import { createScreen } from '../../src/server/terminal/emulator/screen/screen.ts'
import { createViewer, stateOf } from './support/terminal-state.ts'

const size = { cols: 17, rows: 5 }

/** Characters whose widths are argued about: emoji old and new, flags, skins, joiners, selectors, marks, wide letters. */
const character = fc.oneof(
  fc.constantFrom(
    'a',
    ' ',
    '\r\n',
    '\t',
    '\b',
    '│',
    'é',
    'e\u0301',
    '漢',
    'ｗ',
    '한',
    'ᄒ',
    'ก',
    'ำ',
  ),
  fc.constantFrom(
    '😀',
    '🚀',
    '✅',
    '⚡',
    '☕',
    '⭐',
    '❤',
    '☺',
    '☁',
    '⚠',
    '🇩🇪',
    '👍🏽',
    '👩‍👩‍👧',
    '🧑‍💻',
    '🏳️‍🌈',
  ),
  fc.constantFrom(
    '\ufe0f',
    '\ufe0e',
    '\u200d',
    '\u200b',
    '\u0301',
    '\u20e3',
    '\u{1f3fd}',
    '\u{1fae0}',
  ),
  fc.integer({ min: 0x1f300, max: 0x1faff }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0x2190, max: 0x2bff }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0x3000, max: 0xd7a3 }).map((code) => String.fromCodePoint(code)),
  fc.constantFrom('\x1b[31m', '\x1b[0m', '\x1b[4G', '\x1b[K', '\x1b[2;3H'),
)
const output = fc.array(character, { maxLength: 60 }).map((parts) => parts.join(''))

test('[TERM220] server, page and late joiner count columns alike, cell by cell, wherever one joins', () =>
  fc.assert(
    fc.property(output, fc.nat(), (text, place) => {
      const bytes = Buffer.from(text)
      const cut = place % (bytes.length + 1)
      const answers: string[] = []
      const screen = createScreen({ ...size, answer: (answer) => answers.push(answer) })
      const live = createViewer(size)
      live.write(bytes)
      screen.write(bytes.subarray(0, cut), 0)
      const snapshot = screen.snapshot()
      const late = createViewer(size)
      late.write(snapshot.data)
      late.write(bytes.subarray(snapshot.offset))
      expect(stateOf(late.terminal)).toEqual(stateOf(live.terminal))
      // A program is told the same of the cursor as the page shows.
      screen.write(Buffer.concat([bytes.subarray(cut), Buffer.from('\x1b[6n')]), cut)
      const { cursorX, cursorY } = live.terminal.buffer.active
      expect(answers).toEqual([`\x1b[${cursorY + 1};${Math.min(cursorX, size.cols - 1) + 1}R`])
    }),
    { numRuns: 1_000 },
  ))

test('[TERM220] an emoji moves the cursor by two columns, and a line of them wraps in records as on pages', () => {
  const answers: string[] = []
  const screen = createScreen({ ...size, answer: (answer) => answers.push(answer) })
  screen.write(Buffer.from('🚀\x1b[6n'), 0)
  expect(answers).toEqual(['\x1b[1;3R'])
  // Erased to the left of the column after it: nothing of it is left.
  expect(renderOutput(Buffer.from('✅x\x1b[3G\x1b[1Ky\r\n'), size)?.text).toBe('  y\n')
})

/** Each character's columns by the system's own table, which shells and programs count with. */
function libcWidths(characters: readonly string[]): readonly number[] {
  const script = `while IFS= read -r text; do printf %s "$text" | wc -L; done`
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' }
  const input = characters.map((character) => `a${character}\n`).join('')
  const said = execFileSync('bash', ['-c', script], { input, env, encoding: 'utf8' })
  return said
    .trim()
    .split('\n')
    .map((width) => Number(width) - 1)
}

function screenWidths(characters: readonly string[]): readonly number[] {
  return characters.map((character) => {
    const answers: string[] = []
    const screen = createScreen({ cols: 20, rows: 3, answer: (answer) => answers.push(answer) })
    screen.write(Buffer.from(`a${character}\x1b[6n`), 0)
    return Number(/;(\d+)R/.exec(answers[0] ?? '')?.[1]) - 2
  })
}

test('[TERM220] what people print has as many columns as the system says', () => {
  const sample = [
    ...Array.from('aé│─漢字한글ｗ😀🚀✅⚡☕⭐❌🔥🎉📦🐛💡👍🤖🧪⏳⚠❤✓✗→…•█░▶'),
    '\u0301',
    '\u200d',
    '\ufe0f',
  ]
  const [ours, libc] = [screenWidths(sample), libcWidths(sample)]
  expect(sample.map((character, at) => `${character} ${ours[at]}`)).toEqual(
    sample.map((character, at) => `${character} ${libc[at]}`),
  )
})
