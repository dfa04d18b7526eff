import type { HeldMark } from '../../protocol/holder/holder.ts'
import { screen, settingsOf, type Setting, lookOf, sameLook, type Look } from './settings-of.ts'

/** A program that pushes keyboard protocols in a loop; nobody else has so many. */
const maxPushed = 99
/** Programs use a few sequences over and over. */
const maxKnown = 512

interface Effect extends Look {
  settings: readonly Setting[]
  pushes: number
}

/**
 * Follows what commands set in the terminal, and says how to take back what one left behind. Only a difference to a new
 * terminal counts: what a command turned off stays off, for shells turn on what they want at each prompt.
 */
export function createLeftModes(rows: () => number) {
  /** The levels of the shells that run a command. */
  const running = new Set<number>()
  /** The sequences that take back what is set, by the name of that. */
  const undos = new Map<string, string>()
  /** The effects of sequences that came before: to look at one anew would hold up a flood of colours. */
  const known = new Map<string, Effect>()
  const sequences = createSequenceReader(take)
  let pen = 0
  let pushed = 0

  function forget(): void {
    undos.clear()
    known.clear()
    sequences.drop()
    pen = pushed = 0
  }

  function take(sequence: string): void {
    if (sequence === 'c') return forget()
    const { keeps, adds, settings, pushes } = known.get(sequence) ?? learn(sequence)
    pen = (pen & keeps) | adds
    pushed = Math.min(Math.max(pushed + pushes, 0), maxPushed)
    for (const { name, undo } of settings) {
      if (undo === null) undos.delete(name)
      else undos.set(name, undo)
    }
  }

  function learn(sequence: string): Effect {
    if (known.size >= maxKnown) known.clear()
    const effect = effectOf(sequence, rows())
    known.set(sequence, effect)
    return effect
  }

  function undo(): string {
    // Each screen has a stack of its own, and one that is empty stays so.
    const pops = pushed > 0 ? `\x1b[<${pushed}u` : ''
    const { [screen]: leaves = '', ...others } = Object.fromEntries(undos)
    const rest = [...Object.values(others), pen === 0 ? '' : '\x1b[m'].join('')
    return leaves === '' ? pops + rest : pops + leaves + pops + rest
  }

  return {
    /** Output, whoever wrote it; what no command wrote is no command's. */
    feed(bytes: Buffer): void {
      if (running.size > 0) sequences.feed(bytes)
    },
    /** A shell spoke. Returns what takes back what its command left behind, mostly nothing. */
    follow(kind: HeldMark['kind'], level: number): string {
      if (kind === 'C') {
        running.add(level)
        forget()
      }
      // A shell that is gone says no end, and has no next prompt.
      if (kind === 'L') running.delete(level)
      if (kind !== 'D' || !running.delete(level)) return ''
      const left = undo()
      forget()
      return left
    },
  }
}

function effectOf(sequence: string, rows: number): Effect {
  const look = /^\[([\d;:]*)m$/.exec(sequence)?.[1]
  if (look !== undefined) return { ...lookOf(look), settings: [], pushes: 0 }
  return { ...sameLook, settings: settingsOf(sequence, rows), pushes: pushesOf(sequence) }
}

/** The keyboard protocol of kitty has a stack. */
function pushesOf(sequence: string): number {
  const [, way, count = ''] = /^\[([<>])(\d*).*u$/.exec(sequence) ?? []
  if (way === undefined) return 0
  return way === '>' ? 1 : -(Number(count) || 1)
}

const [esc, bel, space] = [0x1b, 0x07, 0x20]
/** Sequences that set something are shorter; a link may be longer, and is cut. */
const maxBytes = 256
/** The ends of control sequences that set something: h, l, m, r, u. */
const ends = new Set([0x68, 0x6c, 0x6d, 0x72, 0x75])
const nothing: Buffer = Buffer.alloc(0)

/**
 * Finds the escape sequences of a stream that set something in a terminal, whatever the pieces it arrives in. They are
 * given without their ESC, and strings without their end: `[?25l`, `(0`, `=`, `]12;red`.
 */
function createSequenceReader(onSequence: (sequence: string) => void) {
  let carried = nothing
  return {
    feed(piece: Buffer): void {
      const bytes = carried.length > 0 ? Buffer.concat([carried, piece]) : piece
      carried = nothing
      for (let at = bytes.indexOf(esc); at >= 0; at = bytes.indexOf(esc, at + 1)) {
        const end = endOf(bytes, at + 1)
        if (end === null && bytes.length - at < maxBytes) carried = bytes.subarray(at)
        else if (end !== 'other') onSequence(bytes.toString('latin1', at + 1, end ?? at + maxBytes))
      }
    },
    /** Nothing that comes belongs to what came. */
    drop(): void {
      carried = nothing
    },
  }
}

/** The end of the sequence that begins here; null while it is to come, `other` for those that set nothing. */
function endOf(bytes: Buffer, from: number): number | 'other' | null {
  switch (bytes[from]) {
    case undefined:
      return null
    case 0x5b: // [
      return endOfControl(bytes, from + 1)
    case 0x28: // (
    case 0x29: // )
      return from + 1 < bytes.length ? from + 2 : null
    case 0x3d: // =
    case 0x3e: // >
    case 0x63: // c
      return from + 1
    case 0x5d: // ]
      return endOfString(bytes, from + 1)
    default:
      return 'other'
  }
}

/** Parameters are between the blank and `@`. */
function endOfControl(bytes: Buffer, from: number): number | 'other' | null {
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte >= 0x40) return ends.has(byte) ? at + 1 : 'other'
    if (byte < space) return 'other'
  }
  return null
}

function endOfString(bytes: Buffer, from: number): number | null {
  const to = Math.min(bytes.length, from + maxBytes)
  for (let at = from; at < to; at += 1) if (bytes[at] === bel || bytes[at] === esc) return at
  return null
}
