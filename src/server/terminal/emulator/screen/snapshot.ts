import type { Terminal } from '@xterm/headless'
import type { BufferState, Charset, Core } from './internals.ts'
import {
  currentPen,
  penSequence,
  plainPen,
  printable,
  samePen,
  savedPen,
  shown,
  type Pen,
} from './pen.ts'
import { createCellReader, writeRows, type CellReader } from './write-rows.ts'

export interface SnapshotSource {
  terminal: Terminal
  core: Core
  title: string
  /** Rows above the screen, at most. */
  scrollback: number
}

/** Everything that makes another terminal of the same size show, and go on, as this one does. */
export function writeSnapshot({ terminal, core, title, scrollback }: SnapshotSource): string {
  const read = createCellReader(terminal, core)
  const { cols, rows } = terminal
  const { normal, alternate, active } = terminal.buffer
  const onAlternate = active.type === 'alternate'
  const state = onAlternate ? core.buffers.alt : core.buffers.normal

  const from = Math.max(normal.baseY - scrollback, 0)
  let out = '\x1bc\x1b[20l'
  out += writeRows({ buffer: normal, cols, read }, { from, to: normal.baseY + rows })
  if (onAlternate) {
    out += `${tabStops(core.buffers.normal, cols)}${savedCursor(core.buffers.normal, terminal)}`
    // Not 1049: the cursor is saved already, with its own pen.
    out += `${region(core.buffers.normal, rows)}\x1b[?1047h\x1b[H`
    out += writeRows({ buffer: alternate, cols, read }, { from: 0, to: rows })
  }
  // The cursor that was saved there last stays for the next program that takes the screen.
  const left = onAlternate ? '' : savedCursor(core.buffers.alt, terminal)
  if (left !== '') out += `\x1b[?1047h${left}\x1b[?1047l`
  out += `${tabStops(state, cols)}${savedCursor(state, terminal)}`
  const pen = currentPen(core)
  const place = placeCursor({ terminal, core, state, read })
  const { charsets, useSaved } = charsetSequences(core, state)
  // Sequences that move the cursor come before it is placed.
  out += `${useSaved ? `${charsets}\x1b8\x1b[m` : ''}${region(state, rows)}`
  out += terminal.modes.originMode ? '\x1b[?6h' : ''
  out += `\x1b]2;${printable(title)}\x1b\\${modeSequences(terminal, core)}`
  const chosen = useSaved ? '' : charsets
  // Only printing once more what stands before the cursor, and nothing after that, lets a following
  // combining character or repetition find its base.
  const insert = terminal.modes.insertMode ? '\x1b[4h' : ''
  if (place.joins) {
    // It is taken out first in insert mode, or the rest of the row would move.
    const room = insert === '' ? '' : `\x1b[${place.width}P`
    out += chosen + penSequence(plainPen, pen) + insert
    return out + place.move + room + place.text
  }
  out += place.move + penSequence(plainPen, place.pen) + place.text + chosen
  return out + penSequence(place.pen, pen) + insert
}

interface Place {
  move: string
  /** Printed at that place to bring the cursor behind it; '' when moving there is enough. */
  text: string
  width: number
  pen: Pen
  joins: boolean
}

interface CursorSource {
  terminal: Terminal
  core: Core
  state: BufferState
  read: CellReader
}

/** The place behind the last column is reached by printing alone, by no sequence. */
function placeCursor({ terminal, core, state, read }: CursorSource): Place {
  const { x, y, ybase } = state
  const { cols, modes, buffer } = terminal
  const top = modes.originMode ? state.scrollTop : 0
  const moveTo = (column: number) => `\x1b[${y - top + 1};${column + 1}H`
  const simple = { move: moveTo(x), text: '', width: 0, pen: plainPen, joins: false }
  const line = buffer.active.getLine(ybase + y)
  if (x === 0 || line === undefined) return simple
  let column = x - 1
  let cell = read(line, column)
  if (cell.text === '' && cell.width === 0 && column > 0) {
    column -= 1
    cell = read(line, column)
  }
  const printed = core._inputHandler._parser.precedingJoinState !== 0 && cell.text !== ''
  const joins = printed && samePen(cell.pen, shown(currentPen(core)))
  if (x < cols && !joins) return simple
  const { width, pen } = cell
  return { move: moveTo(column), text: cell.text === '' ? ' ' : cell.text, width, pen, joins }
}

function savedCursor(state: BufferState, { cols, rows }: Terminal): string {
  const x = Math.min(state.savedX, cols - 1)
  const y = Math.min(Math.max(state.savedY - state.ybase, 0), rows - 1)
  const pen = savedPen(state.savedCurAttrData)
  const charset = designator(state.savedCharset)
  if (x === 0 && y === 0 && charset === 'B' && samePen(pen, plainPen)) return ''
  return `\x1b[${y + 1};${x + 1}H${penSequence(plainPen, pen)}\x1b(${charset}\x1b7\x1b(B${penSequence(pen, plainPen)}`
}

function region({ scrollTop, scrollBottom }: BufferState, rows: number): string {
  const whole = scrollTop === 0 && scrollBottom === rows - 1
  return whole ? '' : `\x1b[${scrollTop + 1};${scrollBottom + 1}r`
}

function tabStops({ tabs }: BufferState, cols: number): string {
  const stops = Array.from({ length: cols }, (_, x) => x).filter((x) => tabs[x] === true)
  const usual = Array.from({ length: Math.ceil(cols / 8) }, (_, index) => index * 8)
  if (stops.join() === usual.join()) return ''
  return `\x1b[3g${stops.map((x) => `\x1b[${x + 1}G\x1bH`).join('')}\r`
}

/** Line drawing is the one that programs use; British is there too; the rest reads as ASCII. */
function designator(charset: Charset | undefined): '0' | 'A' | 'B' {
  if (charset?.['q'] === '\u2500') return '0'
  return charset !== undefined && Object.keys(charset).length === 1 && '#' in charset ? 'A' : 'B'
}

function charsetSequences(core: Core, state: BufferState) {
  const { _charsets: sets, glevel, charset } = core._charsetService
  const designated = ['(', ')', '*', '+'].map((slot, g) =>
    designator(sets[g]) === 'B' ? '' : `\x1b${slot}${designator(sets[g])}`,
  )
  const level = ['', '\x0e', '\x1bn', '\x1bo'][glevel] ?? ''
  // Restoring a cursor brings its character set back without designating it.
  const useSaved = charset !== sets[glevel] && charset === state.savedCharset
  return { charsets: designated.join('') + level, useSaved }
}

const mouseModes = { none: '', x10: '9', vt200: '1000', drag: '1002', any: '1003' } as const
const encodings: Readonly<Record<string, string>> = { SGR: '1006', SGR_PIXELS: '1016' }
const cursorStyles = { block: 1, underline: 3, bar: 5 } as const

/**
 * Modes that move nothing; origin and insert mode have their own places. What a reset (RIS) does not
 * reset everywhere is said either way.
 */
function modeSequences(terminal: Terminal, core: Core): string {
  const { modes, options } = terminal
  const mouse = mouseModes[modes.mouseTrackingMode]
  const encoding = encodings[core.coreMouseService.activeEncoding] ?? ''
  const on = [
    modes.applicationCursorKeysMode ? '1' : '',
    modes.applicationKeypadMode ? '66' : '',
    modes.bracketedPasteMode ? '2004' : '',
    modes.reverseWraparoundMode ? '45' : '',
    modes.sendFocusMode ? '1004' : '',
    mouse,
    encoding,
  ]
  return [
    ...on.filter((mode) => mode !== '').map((mode) => `\x1b[?${mode}h`),
    modes.wraparoundMode ? '' : '\x1b[?7l',
    options.convertEol === true ? '\x1b[20h' : '',
    cursorSequences(terminal, core),
  ].join('')
}

function cursorSequences({ options }: Terminal, { coreService }: Core): string {
  const { cursorStyle, cursorBlink } = coreService.decPrivateModes
  const style =
    cursorStyle === undefined ? 0 : cursorStyles[cursorStyle] + (cursorBlink === true ? 0 : 1)
  const blink = `\x1b[?12${options.cursorBlink === true ? 'h' : 'l'}`
  return `${blink}\x1b[?25${coreService.isCursorHidden ? 'l' : 'h'}\x1b[${style} q`
}
