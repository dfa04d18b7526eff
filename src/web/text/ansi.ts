/** How a stretch of output looks. Colours are indexes of the palette, or `#rrggbb`. */
export interface Look {
  fg?: string
  bg?: string
  bold?: true
  dim?: true
  italic?: true
  underline?: true
  strike?: true
  inverse?: true
}

export interface Stretch {
  text: string
  look: Look
}

/** SGR, any other control sequence, a string sequence (titles, links), or a two-byte escape. */
const sequences =
  /\x1b\[([\d;:]*)m|\x1b\[[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[\x20-\x2f]*[\x30-\x7e]?/g

/** Output with colours, without everything else a terminal would do with it. */
export function parseAnsi(output: string): readonly Stretch[] {
  const stretches: Stretch[] = []
  let look: Look = {}
  let end = 0
  const add = (text: string) => {
    const plain = settled(text)
    if (plain !== '') stretches.push({ text: plain, look })
  }
  for (const match of output.matchAll(sequences)) {
    add(output.slice(end, match.index))
    end = match.index + match[0].length
    if (match[1] !== undefined) look = nextLook(look, match[1])
  }
  add(output.slice(end))
  return stretches
}

/** Without colours: what copying gives. */
export function plainText(output: string): string {
  return parseAnsi(output)
    .map(({ text }) => text)
    .join('')
}

/** A carriage return starts the line again, as a progress bar does; other controls are nothing. */
function settled(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\n\r]*\r(?=[^\n\r])/g, '')
    .replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
}

function nextLook(look: Look, parameters: string): Look {
  const codes = parameters.split(/[;:]/).map(Number)
  let next = look
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0
    if (code === 38 || code === 48) {
      const { colour, used } = extended(codes.slice(at + 1))
      at += used
      if (colour !== undefined) next = { ...next, [code === 38 ? 'fg' : 'bg']: colour }
    } else next = simple(next, code)
  }
  return next
}

const flags: Readonly<Record<number, Look>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
}

const ends: Readonly<Record<number, readonly (keyof Look)[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
  39: ['fg'],
  49: ['bg'],
}

function simple(look: Look, code: number): Look {
  if (code === 0) return {}
  const flag = flags[code]
  if (flag) return { ...look, ...flag }
  const ended = ends[code]
  if (ended) {
    const rest = { ...look }
    for (const each of ended) delete rest[each]
    return rest
  }
  const bright = code >= 90 ? 8 : 0
  const base = bright ? code - 60 : code
  if (base >= 30 && base <= 37) return { ...look, fg: String(base - 30 + bright) }
  if (base >= 40 && base <= 47) return { ...look, bg: String(base - 40 + bright) }
  return look
}

function extended(rest: readonly number[]): { colour?: string; used: number } {
  if (rest[0] === 5) return { colour: indexed(rest[1] ?? 0), used: 2 }
  if (rest[0] !== 2) return { used: 0 }
  const [red = 0, green = 0, blue = 0] = rest.slice(1)
  return { colour: hex([red, green, blue]), used: 4 }
}

const levels = [0, 95, 135, 175, 215, 255]

function indexed(index: number): string {
  if (index < 16) return String(index)
  if (index >= 232) return hex(Array.from({ length: 3 }, () => 8 + (index - 232) * 10))
  const cube = index - 16
  return hex([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((n) => levels[n] ?? 0))
}

function hex(parts: readonly number[]): string {
  const two = (part: number) => Math.min(255, Math.max(0, part)).toString(16).padStart(2, '0')
  return `#${parts.map(two).join('')}`
}
