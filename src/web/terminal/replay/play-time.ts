/** A silence longer than this is cut short: nobody watches a prompt for an hour, or looks for it on a bar. */
const idleMs = 2_000

/** Places of a recording, as it plays, and the times at which things happened, one to one and in order. */
export interface PlayTime {
  /** Where each piece is. */
  places: readonly number[]
  lengthMs: number
  /** In a silence that was cut short time goes faster. */
  timeAt(place: number): number
  placeOf(time: number): number
}

/** Of times in order, ms from the beginning. */
export function playTime(times: readonly number[]): PlayTime {
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
    timeAt: (at) => between(at, places, times),
    placeOf: (at) => between(at, times, places),
  }
}

/** How many of these, in order, are not after it. */
export function countUpTo(all: readonly number[], at: number): number {
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((all[middle] ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** What belongs to a value: both lists begin at 0, and between two of their points the way is straight. */
function between(at: number, from: readonly number[], to: readonly number[]): number {
  const next = countUpTo(from, at)
  const [start = 0, end] = [from[next - 1], from[next]]
  const [first = 0, last = first] = [to[next - 1], to[next]]
  return end === undefined ? first : first + ((at - start) / (end - start)) * (last - first)
}
