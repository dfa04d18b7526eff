/** One of the 256 colours by number, or `#rrggbb`. */
export type Colour = number | string

/** The look of text. The same look is mostly the same object. */
export interface Pen {
  ink: Colour | null
  ground: Colour | null
  bold: boolean
  dim: boolean
  italic: boolean
  underline: boolean
  strike: boolean
  inverse: boolean
}

export const plainPen: Pen = {
  ink: null,
  ground: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
}

const changes: Readonly<Record<number, Partial<Pen>>> = {
  0: plainPen,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { ink: null },
  49: { ground: null },
}

/** The look after a "select graphic rendition"; what it does not know changes nothing. */
export function takeSgr(pen: Pen, parameters: string): Pen {
  const codes = parameters.split(/[;:]/).map(Number)
  let next = pen
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0
    if (code === 38 || code === 48) {
      const { colour, used } = extended(codes.slice(at + 1))
      if (colour !== null) next = { ...next, [code === 38 ? 'ink' : 'ground']: colour }
      at += used
    } else next = { ...next, ...(changes[code] ?? basic(code)) }
  }
  return next
}

function basic(code: number): Partial<Pen> {
  if (code >= 30 && code <= 37) return { ink: code - 30 }
  if (code >= 90 && code <= 97) return { ink: code - 82 }
  if (code >= 40 && code <= 47) return { ground: code - 40 }
  if (code >= 100 && code <= 107) return { ground: code - 92 }
  return {}
}

/** `5;n` is one of 256, `2;r;g;b` any. */
function extended([kind, ...rest]: readonly number[]): { colour: Colour | null; used: number } {
  const isByte = (value: number | undefined): value is number =>
    value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255
  if (kind === 5) return { colour: isByte(rest[0]) ? rest[0] : null, used: 2 }
  if (kind !== 2) return { colour: null, used: 1 }
  const parts = rest.slice(0, 3)
  const isWhole = parts.length === 3 && parts.every(isByte)
  return { colour: isWhole ? hexOf(parts) : null, used: 4 }
}

/** Red, green and blue of one of the 256 beyond the theme’s sixteen: a cube of 6×6×6, then 24 greys. */
export function levelsOf(index: number): readonly number[] {
  if (index >= 232) return Array.from({ length: 3 }, () => 8 + (index - 232) * 10)
  const at = index - 16
  return [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map(cubeLevel)
}

function cubeLevel(part: number): number {
  return part === 0 ? 0 : 55 + part * 40
}

export function hexOf(levels: readonly number[]): string {
  return `#${levels.map((level) => level.toString(16).padStart(2, '0')).join('')}`
}
