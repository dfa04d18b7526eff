import { z } from 'zod'
import type { At } from '../../../protocol/events/seq.ts'
import type { RunEntry } from '../../../view/fold/entry.ts'
import { eachEntry } from '../../../view/fold/entry-list.ts'
import type { View } from '../../../view/fold/view.ts'

/** A silence longer than this is cut short: nobody watches a prompt for an hour, or looks for it on a bar. */
const idleMs = 2_000

/**
 * Places of a recording, as it plays, and the times at which things happened, one to one and in order.
 * Takes times in order, ms from the beginning.
 */
function playTime(times: readonly number[]) {
  const places: number[] = []
  let time = 0
  let place = 0
  for (const next of times) {
    place += Math.min(next - time, idleMs)
    time = next
    places.push(place)
  }
  return {
    places,
    lengthMs: place,
    /** In a silence that was cut short time goes faster. */
    timeAt: (at: number) => between(at, places, times),
    placeOf: (at: number) => between(at, times, places),
  }
}

/** How many of these, in order, are not after it. */
function countUpTo(all: readonly number[], at: number): number {
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((all[middle] ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** Finds what belongs to a value: both lists begin at 0, and between two of their points the way is straight. */
function between(at: number, from: readonly number[], to: readonly number[]): number {
  const next = countUpTo(from, at)
  const [start = 0, end] = [from[next - 1], from[next]]
  const [first = 0, last = first] = [to[next - 1], to[next]]
  return end === undefined ? first : first + ((at - start) / (end - start)) * (last - first)
}

/**
 * A terminal recording (asciicast v2), read piece by piece: a long one is shown before it is parsed. Its places
 * are milliseconds of playing.
 */
export interface Cast {
  size: Size
  lengthMs: number
  /** How many pieces there are up to this place. */
  countAt(place: number): number
  piece(index: number): Piece
  /** When that happened, and where something is that happened then. */
  momentAt(place: number): At
  placeOf(moment: At): number
}

export interface Size {
  rows: number
  cols: number
}

export type Piece = { type: 'output'; text: string } | { type: 'size'; size: Size }

const Header = z.object({
  version: z.literal(2),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  timestamp: z.number().default(0),
})
const Line = z.tuple([z.number(), z.string(), z.string()])

export function readCast(text: string): Cast {
  const starts = lineStarts(text)
  const header = Header.parse(JSON.parse(lineAt(text, 0)))
  // A line is `[seconds, …`: its time is known without reading what may be a megabyte of output.
  const times = starts.map((start) => Number.parseFloat(text.slice(start + 1, start + 24)) * 1_000)
  const { places, lengthMs, timeAt, placeOf } = playTime(times)
  const startMs = header.timestamp * 1_000

  return {
    size: { rows: header.height, cols: header.width },
    lengthMs,
    countAt: (place) => countUpTo(places, place),
    piece: (index) => pieceOf(lineAt(text, starts[index] ?? text.length)),
    momentAt: (place) => startMs + timeAt(place),
    placeOf: (moment) => placeOf(Math.max(0, moment - startMs)),
  }
}

function lineStarts(text: string): readonly number[] {
  const starts: number[] = []
  for (let at = text.indexOf('\n') + 1; at > 0 && at < text.length; at = text.indexOf('\n', at) + 1)
    starts.push(at)
  return starts
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return text.slice(start, end < 0 ? undefined : end)
}

function pieceOf(line: string): Piece {
  const [, type, data] = Line.parse(JSON.parse(line))
  if (type !== 'r') return { type: 'output', text: type === 'o' ? data : '' }
  const [cols = 80, rows = 24] = data.split('x').map(Number)
  return { type: 'size', size: { rows, cols } }
}

/** When commands began in the terminal, which may be long after they were asked for. */
export function runMarks({ entries }: View): readonly At[] {
  const marks: At[] = []
  for (const entry of eachEntry(entries)) {
    const at = entry.kind === 'run' && entry.lane === 'terminal' ? startOf(entry) : null
    if (at !== null) marks.push(at)
  }
  return marks.sort((one, other) => one - other)
}

/** Null of one that has not run. */
function startOf({ state }: RunEntry): At | null {
  if (state.phase === 'running') return state.startedAt
  return state.phase === 'settled' && state.result !== null ? state.result.startedAt : null
}

/** The next mark in a direction; null at the end. */
export function markBeside(marks: readonly At[], at: At, way: 'before' | 'after'): At | null {
  // Going back from a mark means the one before it, also a moment after it was reached.
  const slackMs = 500
  return (
    (way === 'after'
      ? marks.find((mark) => mark > at)
      : marks.findLast((mark) => mark < at - slackMs)) ?? null
  )
}
