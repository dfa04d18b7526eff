/** A thing that a sequence sets, and the sequence that takes it back; null: it is as in a new terminal. */
export interface Setting {
  name: string
  undo: string | null
}

/** Private modes that are off at a prompt: keys, mouse, focus, paste, reverse video, held-back drawing. */
const offModes = new Set(
  '1 5 9 66 1000 1001 1002 1003 1004 1005 1006 1015 1016 2004 2026 2031 2048'.split(' '),
)
/** Private modes that are on: lines wrap, and the cursor is shown. */
const onModes = new Set(['7', '25'])
const screens = new Set(['47', '1047', '1049'])
/** Other modes, off at a prompt: inserting, and line feeds that return. */
const plainModes = new Set(['4', '20'])
/** The alternate screen is left before anything else is taken back: some of it is kept for each screen. */
export const screen = 'screen'

/**
 * The things that a sequence sets; it comes without ESC, and a string without its end. Not among them is what a person
 * may want to stay, whoever set it: title, shape of the cursor, colours of the theme, tab stops.
 */
export function settingsOf(sequence: string, rows: number): readonly Setting[] {
  switch (sequence.charAt(0)) {
    case '[':
      return ofControl(sequence, rows)
    case ']':
      return ofString(sequence)
    case '(':
      return [setting('letters', sequence !== '(B', '\x1b(B')]
    case ')':
      return [setting('other letters', sequence !== ')B', '\x0f\x1b)B')]
    default:
      return [setting('keypad', sequence === '=', '\x1b>')]
  }
}

function setting(name: string, isLeft: boolean, undo: string): Setting {
  return { name, undo: isLeft ? undo : null }
}

function ofControl(sequence: string, rows: number): readonly Setting[] {
  const [, prefix = '', parameters = '', end = ''] = /^\[([=>?]?)([\d;]*)(.)$/.exec(sequence) ?? []
  const modes = parameters.split(';')
  const [first = 0, second = 0] = modes.map(Number)
  switch (prefix + end) {
    case 'h':
    case 'l':
      return modes.flatMap((mode) => ofPlainMode(mode, end === 'h'))
    case '?h':
    case '?l':
      return modes.flatMap((mode) => ofPrivateMode(mode, end === 'h'))
    case 'r':
      return [setting('region', first > 1 || (second > 0 && second < rows), atCursor('\x1b[r'))]
    case '=u':
      return [setting('keys', first > 0, '\x1b[=0u')]
    case '>m':
      return first === 4 ? [setting('other keys', second > 0, '\x1b[>4m')] : []
    default:
      return []
  }
}

function ofPlainMode(mode: string, isOn: boolean): readonly Setting[] {
  return plainModes.has(mode) ? [setting(`plain ${mode}`, isOn, `\x1b[${mode}l`)] : []
}

function ofPrivateMode(mode: string, isOn: boolean): readonly Setting[] {
  if (screens.has(mode)) return [setting(screen, isOn, `\x1b[?${mode}l`)]
  if (mode === '6') return [setting('origin', isOn, atCursor('\x1b[?6l'))]
  if (onModes.has(mode)) return [setting(mode, !isOn, `\x1b[?${mode}h`)]
  return offModes.has(mode) ? [setting(mode, isOn, `\x1b[?${mode}l`)] : []
}

/** For sequences that move the cursor. */
function atCursor(sequence: string): string {
  return `\x1b7${sequence}\x1b8`
}

/** A link, or the colour of the cursor; to ask for that one sets nothing. */
function ofString(sequence: string): readonly Setting[] {
  const target = /^\]8;[^;]*;(.?)/s.exec(sequence)?.[1]
  if (target !== undefined) return [setting('link', target !== '', '\x1b]8;;\x1b\\')]
  const isColour = /^\]1?12(;[^?]|$)/.test(sequence)
  return isColour ? [setting('cursor', sequence.startsWith(']12;'), '\x1b]112\x1b\\')] : []
}

/** The looks of text: the codes that turn one on, and the one that turns it off. */
const looks: readonly { on: readonly number[]; off: number }[] = [
  { on: [1, 2], off: 22 },
  { on: [3], off: 23 },
  { on: [4, 21], off: 24 },
  { on: [5, 6], off: 25 },
  { on: [7], off: 27 },
  { on: [8], off: 28 },
  { on: [9], off: 29 },
  { on: [30, 31, 32, 33, 34, 35, 36, 37, 38, 90, 91, 92, 93, 94, 95, 96, 97], off: 39 },
  { on: [40, 41, 42, 43, 44, 45, 46, 47, 48, 100, 101, 102, 103, 104, 105, 106, 107], off: 49 },
  { on: [53], off: 55 },
  { on: [58], off: 59 },
]
const bitOn = new Uint16Array(108)
const bitOff = new Uint16Array(108)
for (const [index, { on, off }] of looks.entries()) {
  for (const code of on) bitOn[code] = 1 << index
  bitOff[off] = 1 << index
}
const all = 0xffff
bitOff[0] = all

/** `5;n` and `2;r;g;b` behind the code of a colour are no codes of their own. */
const partsOf: Readonly<Record<string, number>> = { '5': 2, '2': 4 }

/** The looks that a "select graphic rendition" leaves as they are, and those that it turns on, a bit each. */
export interface Look {
  keeps: number
  adds: number
}

export const sameLook: Look = { keeps: all, adds: 0 }

export function lookOf(parameters: string): Look {
  const codes = parameters.split(';')
  let { keeps, adds } = sameLook
  for (let at = 0; at < codes.length; at += 1) {
    const text = codes[at] ?? ''
    // Behind a colon stands what belongs to the code itself, as in `4:3` and `38:5:1`.
    const code = text === '4:0' ? 24 : Number.parseInt(text, 10) || 0
    const off = bitOff[code] ?? 0
    keeps &= ~off
    adds = (adds & ~off) | (bitOn[code] ?? 0)
    if (text === '38' || text === '48' || text === '58') at += partsOf[codes[at + 1] ?? ''] ?? 0
  }
  return { keeps, adds }
}
