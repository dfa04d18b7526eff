import headless from '@xterm/headless'
import { tame } from '../../../protocol/taming.ts'
import { coreOf } from './internals.ts'
import { createRowCollector } from './collect-rows.ts'
import { countWidths } from './widths.ts'

export interface RenderOptions {
  /** The width the program saw: where its lines wrapped. */
  cols: number
  rows?: number
  /** Gives up after this long; other screens wait meanwhile. */
  maxMs?: number
}

export interface Rendered {
  text: string
  /** A program took the whole screen; what it showed there is no output and is not in the text. */
  alternateScreen: boolean
}

const defaultMs = 5_000
/** A few bytes can ask for a character a million times. */
const maxChars = 2 * 1024 * 1024
/** A piece can scroll no more rows than the scrollback keeps until they are collected. */
const pieceBytes = 2 * 1024
const scrollback = 5_000

/**
 * Raw output as it finally stood: overwritten progress, erased lines, cursor movements. Null when that
 * takes too long or grows too large. The caller bounds the bytes.
 */
export function renderOutput(bytes: Uint8Array, options: RenderOptions): Rendered | null {
  const { cols, rows = 24, maxMs = defaultMs } = options
  const terminal = new headless.Terminal({
    cols,
    rows,
    scrollback,
    allowProposedApi: true,
    logLevel: 'off',
  })
  const core = coreOf(terminal)
  tame(terminal, core)
  countWidths(terminal)
  let alternateScreen = false
  terminal.buffer.onBufferChange((active) => {
    alternateScreen ||= active.type === 'alternate'
  })
  const collector = createRowCollector(terminal)
  const end = performance.now() + maxMs
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      core._inputHandler.parse(bytes.subarray(at, at + pieceBytes))
      collector.collect()
      if (collector.chars() > maxChars || performance.now() > end) return null
    }
    return { text: collector.finish(), alternateScreen }
  } finally {
    terminal.dispose()
  }
}
