import { expect, test } from 'vitest'
import { createScreen } from '../../src/server/terminal/emulator/screen/screen.ts'
import { createRandom, recordings, wildStream } from './support/streams.ts'
import { createViewer, stateOf } from './support/terminal-state.ts'

const size = { cols: 40, rows: 10 }
const encode = (text: string) => new TextEncoder().encode(text)
const seed = Number(process.env['TANDEM_SEED'] ?? 20_261_115)

/** Each at every byte: what is there at once, and what comes after it. */
const states: readonly (readonly [string, string, string])[] = [
  ['a scroll region', '\x1b[3;6r\x1b[6;1Habc\n', 'down\n\n\x1bM\x1b[3;1H\x1bMup'],
  ['a region in origin mode', '\x1b[3;6r\x1b[?6h\x1b[2;5Hin', '\x1b[1;1Htop\x1b[9;1Hbottom'],
  ['the alternate screen', 'before\r\n\x1b[?1049h\x1b[H\x1b[31mfull', '\x1b[?1049lafter'],
  ['a line behind the last column', 'x'.repeat(40), 'y wraps'],
  ['a wide character at the edge', '字'.repeat(20), '字'],
  ['a wide character that did not fit', `a${'字'.repeat(20)}`, 'b'],
  ['a combining character still to come', 'cafe', '\u0301!'],
  ['a combining character in insert mode', 'right\r\x1b[4he', '\u0301x'],
  ['a repetition still to come', '\x1b[32mab', '\x1b[5b'],
  ['bold and dim together', '\x1b[1;2mboth\x1b[22;2mdim\x1b[1mboth', ' on'],
  ['underlines', '\x1b[4:3;58;2;1;2;3mcurly\x1b[4:2m\x1b[59mdouble', ' on'],
  ['every colour kind', '\x1b[91;104mx\x1b[38;5;250;48;5;17my\x1b[38;2;9;8;7mz', '\x1b[K'],
  ['a background that fills', '\x1b[44m\x1b[2J\x1b[5;5Hx\r\n\n\n\n\n\n\n', '\x1b[Kend'],
  ['tab stops', '\x1b[3g\x1b[1;5H\x1bH\x1b[1;11H\x1bH\r', '\ta\tb\tc'],
  ['insert mode', 'abcdef\r\x1b[4hX', 'YZ'],
  ['no wraparound', '\x1b[?7l' + 'x'.repeat(50), 'yz'],
  ['a saved cursor', '\x1b[4;7H\x1b[35;3m\x1b7\x1b[H\x1b[mhome', '\x1b8back'],
  [
    'a saved cursor left on the alternate screen',
    '\x1b[?47h\x1b[4;7H\x1b7\x1b[?47l',
    '\x1b[?47h\x1b8x',
  ],
  ['line drawing', '\x1b(0lqqk\r\n', 'x  x\x1b(B'],
  ['line drawing by shift', '\x1b)0\x0eqq', 'q\x0fq'],
  ['line drawing that a restored cursor undid', '\x1b7\x1b(0q\x1b8', 'q\x0fq'],
  ['a link', 'see \x1b]8;id=1;http://a/?b;c\x1b\\here', ' too\x1b]8;;\x1b\\ not'],
  ['a protected part', '\x1b[1"qkeep\x1b[0"qgo', '\x1b[?2K'],
  ['cursor and modes', '\x1b[?25l\x1b[3 q\x1b[?1h\x1b=\x1b[?2004h\x1b[?1003;1006h\x1b[?1004h', 'x'],
  ['a wrapped line that was erased', `${'x'.repeat(60)}\x1b[A\x1b[2K`, 'on'],
  ['scrollback', Array.from({ length: 30 }, (_, n) => `line ${n}\r\n`).join(''), 'on\r\n'],
  ['a cleared screen and scrollback', 'a\r\n'.repeat(20) + '\x1b[H\x1b[2J\x1b[3J', 'on'],
]

test.each(states)('[EMU1] a joiner gets %s right, at every byte', (_name, before, after) => {
  const bytes = encode(before + after)
  const whole = createViewer(size)
  whole.write(bytes)
  const screen = createScreen(size)
  const witness = createViewer(size)
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const snapshot = screen.snapshot()
    const joiner = createViewer(size)
    joiner.write(snapshot.data)
    joiner.write(bytes.subarray(snapshot.offset, cut))
    expect(stateOf(joiner.terminal), `after ${cut} bytes`).toEqual(stateOf(witness.terminal))
    joiner.write(bytes.subarray(cut))
    expect(stateOf(joiner.terminal), `joined after ${cut} bytes`).toEqual(stateOf(whole.terminal))
    if (cut === bytes.length) break
    screen.write(bytes.subarray(cut, cut + 1), cut)
    witness.write(bytes.subarray(cut, cut + 1))
  }
})

test.each([
  ['a title without end', `\x1b]0;${'x'.repeat(100)}`, '\x07shown'],
  ['a title of megabytes without end', `\x1b]0;${'x'.repeat(2_000_000)}`, '\x07shown'],
  ['a device string without end', `\x1bP1;${'x'.repeat(10_000)}`, '\x1b\\shown'],
  ['a CSI without end', 'a\x1b[3', '1mred'],
  ['a CSI with a line feed in it', 'a\x1b[3\n', '1mred'],
  ['a C1 introducer cut in its middle', 'a\u009b3', '1mred'],
])('[EMU1] a snapshot waits for no end of %s', (_name, before, after) => {
  const screen = createScreen(size)
  const bytes = encode(before + after)
  const cut = encode(before).length
  for (let at = 0; at < cut; at += 64 * 1024)
    screen.write(bytes.subarray(at, Math.min(at + 64 * 1024, cut)), at)
  const snapshot = screen.snapshot()
  const joiner = createViewer(size)
  joiner.write(snapshot.data)
  joiner.write(bytes.subarray(snapshot.offset))
  const whole = createViewer(size)
  whole.write(bytes)
  expect(stateOf(joiner.terminal)).toEqual(stateOf(whole.terminal))
  expect(cut - snapshot.offset).toBeLessThanOrEqual(4096)
})

test(`[EMU1] how the stream was cut into pieces changes no snapshot (seed ${seed})`, () => {
  const random = createRandom(seed)
  const wild = Array.from({ length: 20 }, (_, n) => ({
    name: `${n}`,
    bytes: wildStream(random, 300),
  }))
  for (const { name, bytes } of [...recordings(), ...wild]) {
    const whole = createScreen(size)
    whole.write(bytes, 0)
    const cut = createScreen(size)
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(at + 1 + random(40), bytes.length)
      cut.write(bytes.subarray(at, end), at)
      at = end
    }
    expect(cut.snapshot(), `${name}, seed ${seed}`).toEqual(whole.snapshot())
  }
})

test(`[EMU1] a screen restored from a snapshot goes on as the first would (seed ${seed})`, () => {
  const random = createRandom(seed)
  for (const { name, bytes } of recordings()) {
    const cut = random(bytes.length)
    const first = createScreen(size)
    first.write(bytes.subarray(0, cut), 0)
    const second = createScreen({ cols: 2, rows: 2 })
    const snapshot = first.snapshot()
    second.restore(snapshot)
    second.replay(bytes.subarray(snapshot.offset), snapshot.offset)
    first.write(bytes.subarray(cut), cut)
    expect(second.snapshot(), `${name} at ${cut}, seed ${seed}`).toEqual(first.snapshot())
  }
})

test('[EMU1] after a resize in the middle a joiner still sees the same', () => {
  for (const { name, bytes } of recordings()) {
    const half = bytes.length >> 1
    const screen = createScreen({ cols: 80, rows: 24 })
    const witness = createViewer({ cols: 80, rows: 24 })
    screen.write(bytes.subarray(0, half), 0)
    witness.write(bytes.subarray(0, half))
    screen.resize({ cols: 61, rows: 17 })
    witness.terminal.resize(61, 17)
    const snapshot = screen.snapshot()
    const joiner = createViewer(snapshot)
    joiner.write(snapshot.data)
    joiner.write(bytes.subarray(snapshot.offset, half))
    expect(stateOf(joiner.terminal), name).toEqual(stateOf(witness.terminal))
  }
})
