import headless from '@xterm/headless'
import { coreOf } from './internals.ts'
import { createRowCollector } from './collect-rows.ts'
import { tame } from './taming.ts'

export interface RenderOptions {
  /** The width the program saw: where its lines wrapped. */
  cols: number
  rows?: number
}

export interface Rendered {
  head: string
  /** What follows after the omitted part; '' when nothing is omitted. */
  tail: string
  omittedBytes: number
  /** A program took the whole screen; what it showed there is no output and is not in the text. */
  alternateScreen: boolean
}

/** As for text that needs no rendering: far more than any record shows. */
const headBytes = 256 * 1024
const tailBytes = 256 * 1024
/** A piece can scroll no more rows than the scrollback keeps until they are collected. */
const pieceBytes = 2 * 1024
const scrollback = 5_000
const newline = 0x0a

/** One run's raw output as it finally stood: overwritten progress, erased lines, cursor movements. */
export function renderOutput(bytes: Uint8Array, options: RenderOptions): Rendered {
  if (bytes.length <= headBytes + tailBytes) {
    const { text, alternateScreen } = renderPart(bytes, options)
    return { head: text, tail: '', omittedBytes: 0, alternateScreen }
  }
  const head = renderPart(bytes.subarray(0, headBytes), options)
  const start = tailStart(bytes)
  const tail = renderPart(bytes.subarray(start), options)
  return {
    head: head.text,
    tail: tail.text,
    omittedBytes: start - headBytes,
    alternateScreen: head.alternateScreen || tail.alternateScreen,
  }
}

/** At a line's beginning, so that no sequence or character is cut. */
function tailStart(bytes: Uint8Array): number {
  const wanted = bytes.length - tailBytes
  const line = bytes.indexOf(newline, wanted)
  return line < 0 || line > wanted + tailBytes / 2 ? wanted : line + 1
}

function renderPart(bytes: Uint8Array, { cols, rows = 24 }: RenderOptions) {
  const terminal = new headless.Terminal({
    cols,
    rows,
    scrollback,
    allowProposedApi: true,
    logLevel: 'off',
  })
  const core = coreOf(terminal)
  tame(terminal, core)
  let alternateScreen = false
  terminal.buffer.onBufferChange((active) => {
    alternateScreen ||= active.type === 'alternate'
  })
  const collector = createRowCollector(terminal)
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    core._inputHandler.parse(bytes.subarray(at, at + pieceBytes))
    collector.collect()
  }
  const text = collector.finish()
  terminal.dispose()
  return { text, alternateScreen }
}
