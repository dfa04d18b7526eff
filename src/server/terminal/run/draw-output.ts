import { StringDecoder } from 'node:string_decoder'
import { readStretch, type Range } from '../byte-log/read-byte-log.ts'
import type { Rendered } from '../emulator/output/render-output.ts'
import { createPlainText } from './plain-text.ts'
import type { Captured } from '../terminal.ts'
import { within } from '../within.ts'
import { whole } from '../../../base/text.ts'
import type { Looked } from '../byte-log/read-screen.ts'
import type { Capture, RunOutput } from './output.ts'

/** Draws a part of a run's output as a terminal of its width shows it; null when it cannot. */
export type DrawPart = (bytes: Buffer) => Promise<Rendered | null>

export interface DrawOutput {
  folder: string
  range: Range
  draw: DrawPart
}

/** The same as for text that needs no terminal: far more than any record shows. */
const headBytes = 256 * 1024
const tailBytes = 256 * 1024
/** The emulator may be busy with a flood; an answer is not worth waiting longer for. */
const drawMs = 10_000
const newline = 0x0a

const notDrawn =
  'The output moves the cursor and could not be drawn; this is its text, the movements left out.'
const usedScreen = 'A program took the whole screen; what it showed there is not in this text.'

/**
 * Output that moves the cursor, as it finally stood: its head and its tail drawn by a throw-away
 * terminal. `plain` is the same output without movements; it says how many characters lie between, and
 * stands in, with a word about it, where drawing fails.
 */
export async function drawOutput(output: DrawOutput, plain: Captured): Promise<Captured> {
  const drawn = await tryDraw(output, plain).catch(() => null)
  return drawn ?? withNote(plain, notDrawn)
}

async function tryDraw({ folder, range, draw }: DrawOutput, plain: Captured) {
  const isShort = range.to - range.from <= headBytes + tailBytes
  const head = await readWhole(folder, isShort ? range : cut(range, 'head'))
  const end = isShort ? Buffer.alloc(0) : await readWhole(folder, cut(range, 'tail'))
  if (head === null || end === null) return null
  const tail = fromLineStart(end)
  const drawing = Promise.all([draw(head), draw(tail)])
  if (!(await within(drawMs, drawing))) return null
  const [first, last] = await drawing
  if (first === null || last === null) return null
  const all = plain.head.length + plain.omittedChars + plain.tail.length
  const captured = {
    head: first.text,
    tail: last.text,
    omittedChars: isShort ? 0 : Math.max(0, all - plainLength(head) - plainLength(tail)),
  }
  return first.alternateScreen || last.alternateScreen ? withNote(captured, usedScreen) : captured
}

function cut({ from, to }: Range, part: 'head' | 'tail'): Range {
  return part === 'head' ? { from, to: from + headBytes } : { from: to - tailBytes, to }
}

/** Null when part of it is gone. */
async function readWhole(folder: string, range: Range): Promise<Buffer | null> {
  const { bytes } = await readStretch(folder, range, headBytes + tailBytes)
  return bytes.length === range.to - range.from ? bytes : null
}

/** So that no sequence or character is cut; a line without an end is taken as it is. */
function fromLineStart(bytes: Buffer): Buffer {
  const line = bytes.indexOf(newline)
  return line < 0 || line > bytes.length / 2 ? bytes : bytes.subarray(line + 1)
}

function plainLength(bytes: Buffer): number {
  const decoder = new StringDecoder('utf8')
  let length = 0
  const plain = createPlainText((text) => {
    length += text.length
  })
  plain.feed(decoder.write(bytes) + decoder.end())
  return length + plain.pending().length
}

/** A sentence of ours at the end of an output, on a line of its own. */
export function withNote(captured: Captured, note: string): Captured {
  const inTail = captured.tail !== ''
  const text = inTail ? captured.tail : captured.head
  const noted = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${note}\n`
  return inTail ? { ...captured, tail: noted } : { ...captured, head: noted }
}

/** Draws the screen that the output from here on makes, without the hidden places. */
export type DrawScreen = (from: number, hidden: readonly Range[]) => Promise<Looked>

interface RunScreenDeps {
  output: Pick<RunOutput, 'soFar' | 'isExact'>
  /** The offset at which the run's output begins. */
  from: () => number | null
  /** Null: there is no emulator. */
  screen: DrawScreen | null
}

/** The view that a model gets of a program that goes on. */
export function createRunScreen({ output, from, screen }: RunScreenDeps) {
  /** Draws the run's own output alone: what others printed before it stood on another screen. */
  async function look(hidden: readonly Range[]): Promise<Looked | null> {
    const begin = from()
    // Without a movement of the cursor nobody has taken the screen.
    if (screen === null || begin === null || output.isExact()) return null
    const looking = screen(begin, hidden).catch(() => null)
    return (await within(drawMs, looking)) ? looking : null
  }

  return {
    /** The screen of one that took it, else all of its output. */
    async now(): Promise<Captured> {
      const seen = await look([])
      return seen?.isAlternate ? whole(seen.text) : output.soFar()
    },
    /** The screen where that says more than what was printed since, else that. */
    async since(printed: Capture, hidden: readonly Range[]): Promise<Captured> {
      const seen = await look(hidden)
      if (seen === null || (!seen.isAlternate && printed.isExact())) return printed.result()
      return whole(seen.text)
    },
  }
}
