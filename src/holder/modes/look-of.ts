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
