import type { HeldMark } from '../../protocol/holder/holder.ts'
import { lookOf, sameLook, type Look } from './look-of.ts'
import { createSequenceReader } from './read-sequences.ts'
import { screen, settingsOf, type Setting } from './settings-of.ts'

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
