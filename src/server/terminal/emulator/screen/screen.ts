import {
  isBetweenSequences,
  isInString,
  partialCharacter,
  type Core,
  openHeadless,
  type Headless,
} from './internals.ts'
import type { Terminal } from '@xterm/headless'
import { screenText, type TextOptions } from './screen-text.ts'
import { writeSnapshot } from './snapshot.ts'
import { createUnfinished } from './unfinished-sequence.ts'

export interface Size {
  cols: number
  rows: number
}

export interface ScreenOptions extends Size {
  /** Rows kept above the screen; also the most that a snapshot holds of them. */
  scrollback?: number
  /** Takes the terminal's answer to a program's query: to be written to the program. */
  answer?: (text: string) => void
  /** A program took the whole screen, or gave it back. */
  onAlternate?: (on: boolean) => void
}

/** A terminal's whole state: written to a terminal of this size, it shows what ours shows. */
export interface Snapshot extends Size {
  /** The place in the stream to go on from. */
  offset: number
  data: string
}

export type Screen = ReturnType<typeof createScreen>

/** Rows enough to read back what just went by; a snapshot of them is about 70 KB. */
const defaultScrollback = 1_000
/** Wide enough for any monitor; a row costs 12 bytes a column. */
const maxSide = 1_000

/**
 * A terminal without a window: bytes in, screen out. Everything is synchronous, so what was written
 * has been parsed.
 */
export function createScreen(options: ScreenOptions) {
  const scrollback = options.scrollback ?? defaultScrollback
  const { terminal, core } = openHeadless({
    ...within(options),
    scrollback,
    windowOptions: { getWinSizeChars: true },
  })
  const unfinished = createUnfinished()
  let offset = 0
  let title = ''
  let muted = false

  answerQueries({
    terminal,
    core,
    answer: (text) => {
      if (!muted) options.answer?.(text)
    },
  })
  terminal.onTitleChange((next) => {
    title = next
  })
  terminal.buffer.onBufferChange(() => options.onAlternate?.(isAlternate()))

  const isAlternate = () => terminal.buffer.active.type === 'alternate'

  /** The next bytes of the stream; `at` is where they begin. They are parsed on return. */
  function write(bytes: Uint8Array, at: number): void {
    offset = at + bytes.length
    parse({ terminal, core }, bytes)
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
    /** The same without answering queries: they have been answered when the bytes were new. */
    replay: (bytes: Uint8Array, at: number) => quietly(() => write(bytes, at)),
    /** Starts from a snapshot instead of from nothing. */
    restore(from: Snapshot): void {
      terminal.resize(from.cols, from.rows)
      quietly(() => parse({ terminal, core }, from.data))
      offset = from.offset
      const opener = from.data.slice(from.data.lastIndexOf('\x1b'))
      if (!isBetweenSequences(core)) unfinished.adopt(opener)
    },
    resize(size: Size): void {
      const { cols, rows } = within(size)
      terminal.resize(cols, rows)
    },
    snapshot,
    text: (wanted: TextOptions = {}) => screenText({ terminal, core }, wanted),
    isAlternate,
    offset: () => offset,
    close: () => terminal.dispose(),
  }
}

function parse({ terminal, core }: Headless, data: Uint8Array | string): void {
  try {
    core._inputHandler.parse(data)
  } catch (error) {
    // A fault of the emulator must not end the session: the screen starts anew from here.
    core._inputHandler._parser.reset()
    terminal.reset()
    throw error
  }
}

/** Sizes arrive from outside: zero, huge, not whole. One row could not hold a wrapped line. */
function within({ cols, rows }: Size): Size {
  const side = (value: number) =>
    Number.isFinite(value) ? Math.min(Math.max(Math.floor(value), 2), maxSide) : maxSide
  return { cols: side(cols), rows: side(rows) }
}

/** `#rrggbb` */
const [foreground, background] = ['#d4d4d4', '#1e1e1e']

interface QueryDeps {
  terminal: Terminal
  core: Core
  answer: (text: string) => void
}

/** Answers queries that @xterm/headless does not answer, or not rightly; the others it answers itself. */
function answerQueries({ terminal, core, answer }: QueryDeps): void {
  terminal.onData(answer)
  const known = [foreground, background, foreground]
  for (const first of [10, 11, 12]) {
    terminal.parser.registerOscHandler(first, (data) => {
      // One sequence may ask for several, counted up from its own number.
      for (const [index, part] of data.split(';').entries()) {
        const colour = known[first - 10 + index]
        if (part === '?' && colour !== undefined)
          answer(`\x1b]${first + index};${rgb(colour)}\x1b\\`)
      }
      return true
    })
  }
  core.registerCsiHandler({ final: 'n' }, ({ params }) => {
    if (params[0] !== 6) return false
    const { cursorX, cursorY } = terminal.buffer.active
    // A cursor behind the last column is told as on it.
    answer(`\x1b[${cursorY + 1};${Math.min(cursorX, terminal.cols - 1) + 1}R`)
    return true
  })
}

function rgb(colour: string): string {
  const parts = /^#(..)(..)(..)$/.exec(colour)?.slice(1) ?? ['00', '00', '00']
  return `rgb:${parts.map((part) => part + part).join('/')}`
}
