import { fenceEnd } from '../../base/fence.ts'

/** A block with a frame, a title and a button: a fence, or a tag. */
export const frame = 32
/** A line may be a paragraph or an item of its own, and a bar begins a cell. */
const line = 4
/** Half an element, of those that a pair of marks makes. */
const mark = 2
const charsPerPoint = 64

export interface Stretch {
  from: number
  to: number
}

/** How much of a reply's prose can be drawn as Markdown for so many points; the rest begins a line. */
export function affordable(
  text: string,
  { from, to }: Stretch,
  points: number,
): { end: number; left: number } {
  let left = points
  for (let at = from; at < to;) {
    const fence = fenceEnd(text, at)
    const end = Math.min(to, fence ?? nextLine(text, at))
    left -= fence === null ? lineCost(text, at, end) : frameCost(text, at, end)
    if (left < 0) return { end: at, left: 0 }
    at = end
  }
  return { end: to, left }
}

/** Its lines count, too: a reader of Markdown may see no fence where we do. */
export function frameCost(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = from; at < to; at = nextLine(text, at)) lines += 1
  return frame + lines + (to - from) / charsPerPoint
}

function lineCost(text: string, from: number, to: number): number {
  let cost = line + (to - from) / charsPerPoint
  for (let at = from; at < to; at += 1) {
    const char = text.charAt(at)
    if (char === '|') cost += line
    else if ('*_`[]<>~&'.includes(char)) cost += mark
  }
  return cost
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}
