import { Unicode11Addon } from '@xterm/addon-unicode11'
import headless from '@xterm/headless'
import type { IBuffer, Terminal } from '@xterm/headless'
import {
  coreOf,
  type BufferState,
  type Core,
} from '../../../src/server/terminal/emulator/screen/internals.ts'
import { currentPen, isErased, savedPen } from '../../../src/server/terminal/emulator/screen/pen.ts'
import { hardenEmulator } from '../../../src/base/harden-emulator.ts'
import { createCellReader } from '../../../src/server/terminal/emulator/screen/write-rows.ts'
import type { Size } from '../../../src/server/terminal/emulator/screen/screen.ts'

export interface Viewer {
  terminal: Terminal
  write: (data: Uint8Array | string) => void
}

/** A viewer as browsers have it: a plain terminal that counts as theirs, kept only from its own faults. */
export function createViewer({ cols, rows }: Size, scrollback = 1000): Viewer {
  const terminal = new headless.Terminal({ cols, rows, scrollback, allowProposedApi: true })
  const core = coreOf(terminal)
  hardenEmulator(terminal, core)
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  return { terminal, write: (data) => void core._inputHandler.parse(data) }
}

/** All that a person sees, and all that decides what they will see next. */
export function stateOf(terminal: Terminal) {
  const core = coreOf(terminal)
  const { active, normal, alternate } = terminal.buffer
  const { isCursorHidden, decPrivateModes } = core.coreService
  const { synchronizedOutput: _temporary, ...modes } = decPrivateModes as Record<string, unknown>
  const onAlternate = active.type === 'alternate'
  const state = onAlternate ? core.buffers.alt : core.buffers.normal
  return {
    buffer: active.type,
    cursor: { x: state.x, y: state.y, hidden: isCursorHidden },
    pen: currentPen(core),
    modes: { ...modes, ...terminal.modes, synchronizedOutputMode: false },
    mouse: core.coreMouseService.activeEncoding,
    options: { blink: terminal.options.cursorBlink, eol: terminal.options.convertEol },
    charsets: charsets(core),
    normal: { ...bufferState(core.buffers.normal, terminal), rows: rowsOf(terminal, core, normal) },
    alternate: onAlternate
      ? { ...bufferState(core.buffers.alt, terminal), rows: rowsOf(terminal, core, alternate) }
      : null,
  }
}

function charsets(core: Core) {
  const { charset, glevel, _charsets: sets } = core._charsetService
  return { charset, glevel, sets: [0, 1, 2, 3].map((g) => sets[g]) }
}

function bufferState(state: BufferState, { cols, rows }: Terminal) {
  return {
    region: [state.scrollTop, state.scrollBottom],
    tabs: Object.keys(state.tabs).filter((x) => state.tabs[Number(x)] === true && Number(x) < cols),
    saved: {
      x: Math.min(state.savedX, cols - 1),
      y: Math.min(Math.max(state.savedY - state.ybase, 0), rows - 1),
      pen: savedPen(state.savedCurAttrData),
      charset: state.savedCharset,
    },
  }
}

/** One string a row: its cells' text and looks. */
function rowsOf(terminal: Terminal, core: Core, buffer: IBuffer): readonly string[] {
  const read = createCellReader(terminal, core)
  return Array.from({ length: buffer.length }, (_, y) => {
    const line = buffer.getLine(y)
    if (line === undefined) return ''
    let row = y > 0 && line.isWrapped ? '↩' : ''
    let look = ''
    let wide = false
    for (let x = 0; x < terminal.cols; x += 1) {
      const { text, width, pen } = read(line, x)
      const { fg, bg, underlineStyle, underlineColour, link } = pen
      const next = `${fg.toString(16)}/${bg.toString(16)}/${underlineStyle}/${underlineColour}/${link}`
      // Half of a wide character whose other half is gone shows as an empty cell.
      const half = text === '' && width === 0
      if (!half || !wide) {
        row += next === look ? '' : `{${next}}`
        look = next
        // Seen alike and restored as a blank: an empty cell that kept its letters' looks, or one that was
        // emptied under a cursor that stands behind the last column.
        const blank = !isErased(pen) || x === terminal.cols - 1
        row += text === '' ? (blank ? ' ' : '·') : text
      }
      wide = width === 2
    }
    return row
  })
}
