import type { Attributes, Core } from './internals.ts'

/** The look of the next character. Bits as in @xterm/headless. */
export interface Pen {
  fg: number
  bg: number
  underlineStyle: number
  underlineColour: number
  /** The parameters of OSC 8; '' outside of links. */
  link: string
}

export const plainPen: Pen = { fg: 0, bg: 0, underlineStyle: 0, underlineColour: 0, link: '' }

const colourBits = 0x3ffffff
const hasExtended = 0x10000000
const unsetColour = 0x3ffffff

const fgFlags = [
  [0x4000000, 7],
  [0x8000000, 1],
  [0x20000000, 5],
  [0x40000000, 8],
  [0x80000000, 9],
] as const
const underlined = 0x10000000
const bgFlags = [
  [0x4000000, 3],
  [0x8000000, 2],
  [0x40000000, 53],
] as const
const protectedFlag = 0x20000000

/** The look of a cell. */
export function cellPen(cell: Attributes, core: Core): Pen {
  if ((cell.bg & hasExtended) === 0)
    return { ...plainPen, fg: clean(cell.fg), bg: clean(cell.bg), underlineStyle: single(cell.fg) }
  return shown(extendedPen(cell, core))
}

/** An underline's colour does not show without the underline. */
export function shown(pen: Pen): Pen {
  return pen.underlineStyle === 0 ? { ...pen, underlineColour: 0 } : pen
}

/** The pen itself keeps an underline colour even while it underlines nothing. */
export function currentPen(core: Core): Pen {
  return extendedPen(core._inputHandler._curAttrData, core)
}

function extendedPen({ fg, bg, extended }: Attributes, core: Core): Pen {
  const { urlId, _ext: ext, underlineColor } = extended
  return {
    fg: clean(fg),
    bg: clean(bg & ~hasExtended),
    underlineStyle: (fg & underlined) === 0 ? 0 : Math.max((ext >> 26) & 7, 1),
    underlineColour: clean(underlineColor),
    link: urlId === 0 ? '' : linkParameters(core._oscLinkService.getLinkData(urlId)),
  }
}

/** Saved cursors keep colours and flags, nothing more. */
export function savedPen({ fg, bg }: Attributes): Pen {
  return { ...plainPen, fg: clean(fg), bg: clean(bg & ~hasExtended), underlineStyle: single(fg) }
}

/** Unsigned, and without what an earlier RGB colour left in the bits a palette colour does not use. */
function clean(value: number): number {
  const mode = value & 0x3000000
  const palette = mode === 0x1000000 || mode === 0x2000000
  return (palette ? value & ~0xffff00 : value) >>> 0
}

const single = (fg: number) => ((fg & underlined) === 0 ? 0 : 1)

function linkParameters(link: { id?: string; uri: string } | undefined): string {
  if (link === undefined) return ''
  return `${link.id === undefined ? '' : `id=${link.id}`};${link.uri}`
}

/** The part that SGR can say: no link, no protection from erasing. */
export function sgrPen(pen: Pen): Pen {
  return { ...pen, link: '', bg: (pen.bg & ~protectedFlag) >>> 0 }
}

export function samePen(a: Pen, b: Pen): boolean {
  return (
    a.fg === b.fg &&
    a.bg === b.bg &&
    a.underlineStyle === b.underlineStyle &&
    a.underlineColour === b.underlineColour &&
    a.link === b.link
  )
}

/** An erased cell keeps nothing but its background. */
export function isErased(pen: Pen): boolean {
  return pen.fg === 0 && (pen.bg & ~colourBits) === 0 && pen.link === ''
}

export const hasBackground = (pen: Pen) => (pen.bg & colourBits) !== 0

/** The sequence from one pen to another: complete, so that no flag of the old one can survive. */
export function penSequence(from: Pen, to: Pen): string {
  if (samePen(from, to)) return ''
  const link =
    from.link === to.link ? '' : `\x1b]8;${to.link === '' ? ';' : printable(to.link)}\x1b\\`
  if (samePen({ ...from, link: to.link }, to)) return link
  const codes = [
    ...fgFlags.flatMap(([bit, code]) => ((to.fg & bit) === 0 ? [] : [code])),
    ...bgFlags.flatMap(([bit, code]) => ((to.bg & bit) === 0 ? [] : [code])),
    ...(to.underlineStyle === 0 ? [] : [to.underlineStyle === 1 ? 4 : `4:${to.underlineStyle}`]),
    ...colourCodes(to.fg, { base: 30, extended: 38 }),
    ...colourCodes(to.bg, { base: 40, extended: 48 }),
    ...underlineColour(to.underlineColour),
  ]
  const guard = (to.bg & protectedFlag) === 0 ? '' : '\x1b[1"q'
  return `${link}\x1b[${['0', ...codes].join(';')}m${guard}`
}

function underlineColour(value: number): readonly number[] {
  if ((value & colourBits) === unsetColour) return [59]
  return (value & 0x3000000) === 0 ? [] : colourCodes(value, { base: 0, extended: 58 })
}

function colourCodes(
  value: number,
  { base, extended }: { base: number; extended: number },
): readonly number[] {
  const mode = value & 0x3000000
  const index = value & 0xff
  if (mode === 0) return []
  if (mode === 0x3000000)
    return [extended, 2, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff]
  if (mode === 0x1000000 && base > 0) return [index < 8 ? base + index : base + 52 + index]
  return [extended, 5, index]
}

/** Nothing that is restored may smuggle in a sequence of its own. */
export function printable(text: string): string {
  return text.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, '').slice(0, 2_000)
}
