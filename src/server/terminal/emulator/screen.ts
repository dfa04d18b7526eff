import headless from '@xterm/headless'
import { tame } from '../../../protocol/taming.ts'
import { coreOf, isBetweenSequences, isInString, partialCharacter } from './internals.ts'
import { answerQueries, type Colours } from './queries.ts'
import { screenText, type TextOptions } from './screen-text.ts'
import { writeSnapshot } from './snapshot.ts'
import { createUnfinished } from './unfinished.ts'
import { countWidths } from './widths.ts'

export interface Size {
  cols: number
  rows: number
}

export interface ScreenOptions extends Size {
  /** Rows kept above the screen; also the most that a snapshot holds of them. */
  scrollback?: number
  colours?: Colours
  /** What the terminal answers to a program's query: to be written to the program. */
  answer?: (text: string) => void
  /** A program took the whole screen, or gave it back. */
  onAlternate?: (on: boolean) => void
}

/** A terminal's whole state: written to a terminal of this size, it shows what ours shows. */
export interface Snapshot extends Size {
  /** Where in the stream to go on after it. */
  offset: number
  data: string
}

export interface Screen {
  /** The next bytes of the stream; `offset` is where they begin. They are parsed on return. */
  write: (bytes: Uint8Array, offset: number) => void
  /** The same without answering queries: they have been answered when the bytes were new. */
  replay: (bytes: Uint8Array, offset: number) => void
  /** Starts from a snapshot instead of from nothing. */
  restore: (snapshot: Snapshot) => void
  resize: (size: Size) => void
  snapshot: () => Snapshot
  text: (options?: TextOptions) => string
  isAlternate: () => boolean
  offset: () => number
  close: () => void
}

/** Enough to read back what just went by; a snapshot of it is about 70 KB. */
const defaultScrollback = 1_000
/** Wide enough for any monitor; a row costs 12 bytes a column. */
const maxSide = 1_000
const defaultColours: Colours = { foreground: '#d4d4d4', background: '#1e1e1e' }

/**
 * A terminal without a window: bytes in, screen out. Everything is synchronous, so what was written
 * has been parsed.
 */
export function createScreen(options: ScreenOptions): Screen {
  const scrollback = options.scrollback ?? defaultScrollback
  const terminal = new headless.Terminal({
    ...within(options),
    scrollback,
    allowProposedApi: true,
    logLevel: 'off',
    windowOptions: { getWinSizeChars: true },
  })
  const core = coreOf(terminal)
  const unfinished = createUnfinished()
  let offset = 0
  let title = ''
  let muted = false

  tame(terminal, core)
  countWidths(terminal)
  answerQueries({
    terminal,
    core,
    colours: options.colours ?? defaultColours,
    answer: (text) => {
      if (!muted) options.answer?.(text)
    },
  })
  terminal.onTitleChange((next) => {
    title = next
  })
  terminal.buffer.onBufferChange(() => options.onAlternate?.(isAlternate()))

  const isAlternate = () => terminal.buffer.active.type === 'alternate'

  function parse(data: Uint8Array | string): void {
    try {
      core._inputHandler.parse(data)
    } catch (error) {
      // A fault of the emulator must not end the session: the screen starts anew from here.
      core._inputHandler._parser.reset()
      terminal.reset()
      throw error
    }
  }

  function write(bytes: Uint8Array, at: number): void {
    offset = at + bytes.length
    parse(bytes)
    unfinished.note(bytes, {
      inSequence: !isBetweenSequences(core),
      partialCharacter: partialCharacter(core),
    })
  }

  function quietly(work: () => void): void {
    muted = true
    try {
      work()
    } finally {
      muted = false
    }
  }

  function snapshot(): Snapshot {
    const { back, opener } = unfinished.resume(isInString(core))
    const data = writeSnapshot({ terminal, core, title, scrollback }) + opener
    return { offset: offset - back, cols: terminal.cols, rows: terminal.rows, data }
  }

  return {
    write,
    replay: (bytes, at) => quietly(() => write(bytes, at)),
    restore(from) {
      terminal.resize(from.cols, from.rows)
      quietly(() => parse(from.data))
      offset = from.offset
      const opener = from.data.slice(from.data.lastIndexOf('\x1b'))
      if (!isBetweenSequences(core)) unfinished.adopt(opener)
    },
    resize(size) {
      const { cols, rows } = within(size)
      terminal.resize(cols, rows)
    },
    snapshot,
    text: (wanted = {}) => screenText({ terminal, core }, wanted),
    isAlternate,
    offset: () => offset,
    close: () => terminal.dispose(),
  }
}

/** Sizes arrive from outside: zero, huge, not whole. One row could not hold a wrapped line. */
function within({ cols, rows }: Size): Size {
  const side = (value: number) =>
    Number.isFinite(value) ? Math.min(Math.max(Math.floor(value), 2), maxSide) : maxSide
  return { cols: side(cols), rows: side(rows) }
}
