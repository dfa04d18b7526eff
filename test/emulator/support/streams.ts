import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../recordings/', import.meta.url)

export interface Stream {
  name: string
  bytes: Uint8Array
}

/** Real programs, recorded in a terminal of 80×24. */
export function recordings(): readonly Stream[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.bin'))
    .map((file) => ({ name: file, bytes: readFileSync(new URL(file, folder)) }))
}

export type Random = (below: number) => number

/** Small and seeded (mulberry32): the same seed gives the same test. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const words = [
  'a',
  'The quick',
  '  ',
  'x'.repeat(45),
  'é',
  '漢字',
  '😀',
  'e\u0301',
  '\u0301',
  'ｗｉｄｅ',
  '│─',
]
const looks = [
  '0',
  '1',
  '2',
  '1;2',
  '22',
  '3',
  '4',
  '4:3',
  '21',
  '24',
  '5',
  '7',
  '27',
  '8',
  '9',
  '53',
  '31',
  '42',
  '92',
  '103',
  '38;5;200',
  '48;5;20',
  '38;2;1;2;3',
  '48;2;9;8;7',
  '39',
  '49',
  '41;7',
]
const modes = [
  '?1',
  '?6',
  '?12',
  '?25',
  '?45',
  '?66',
  '?9',
  '?1000',
  '?1002',
  '?1003',
  '?1004',
  '?1006',
  '?1016',
  '?2004',
  '4',
  '20',
]
const plain = [
  '\r\n',
  '\r\n',
  '\n',
  '\r',
  '\b',
  '\t',
  '\x0e',
  '\x0f',
  '\x1b(0',
  '\x1b(B',
  '\x1b)0',
  '\x1b(A',
  '\x1b7',
  '\x1b8',
  '\x1bD',
  '\x1bE',
  '\x1bM',
  '\x1bH',
  '\x1b=',
  '\x1b>',
  '\x1bn',
  '\x1bc',
  '\x1b[!p',
  '\x07',
  '\x1b#8',
]
const titles = ['\x1b]0;a title\x07', '\x1b]2;ünï\x1b\\', '\x1bP$qm\x1b\\', '\x1b_gone\x1b\\']

/**
 * Anything a program could send, in no sensible order. Not among it: links, underline colours and wraparound off, whose odd
 * corners (@xterm forgets links with their first line; half wide characters) nobody can restore; nor
 * erased scrollback, after which @xterm restores a saved cursor elsewhere.
 */
export function wildStream(random: Random, pieces: number): Uint8Array {
  const pick = (from: readonly string[]) => from[random(from.length)] ?? ''
  // Both in one: a switch can leave the cursor outside of the region, where origin mode lets nobody go.
  const origin = random(2) === 0
  const switches = origin ? ['1048'] : ['47', '1047', '1049', '1048']
  const usable = modes.filter((mode) => origin || mode !== '?6')
  // Nor can a character set be current that only the other screen's saved cursor remembers.
  const controls = plain.filter((text) => origin || !/^\x1b[()]/.test(text))
  const count = () => (random(4) === 0 ? '' : String(random(30)))
  const kinds: readonly (() => string)[] = [
    () => pick(words),
    () => pick(words),
    () => pick(words).repeat(1 + random(12)),
    () => `\x1b[${pick(looks)}m`,
    () => `\x1b[${pick(looks)}m`,
    () => `\x1b[${random(26)};${random(84)}H`,
    () => `\x1b[${count()}${pick('ABCDEFGJKLMPSTXZ@Ibd`ae'.split(''))}`,
    () => `\x1b[${random(3)}${pick(['J', 'K', 'g', '"q', ' q'])}`,
    () => `\x1b[?${random(3)}${pick(['J', 'K'])}`,
    () => `\x1b[${1 + random(10)};${12 + random(14)}r`,
    () => (random(3) === 0 ? '\x1b[r' : pick(controls)),
    () => pick(plain.slice(0, 6)),
    () => `\x1b[${pick(usable)}${pick(['h', 'l', 'l'])}`,
    () => (random(6) === 0 ? `\x1b[?${pick(switches)}${pick(['h', 'l'])}` : ''),
    () => pick(titles),
    () => (random(3) === 0 ? '\x1b[3\n1m' : ''),
  ]
  let text = ''
  for (let index = 0; index < pieces; index += 1) text += kinds[random(kinds.length)]?.() ?? ''
  return new TextEncoder().encode(text)
}
