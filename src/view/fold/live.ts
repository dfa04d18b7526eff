import { limits } from '../../protocol/limits.ts'

/** Text that is still growing: `text` begins at `from`, so that a flood keeps only its tail. */
export interface Live {
  from: number
  text: string
}

export const noText: Live = { from: 0, text: '' }

/**
 * Text we have already is ignored, so a repeated fragment changes nothing. So is text beyond a gap:
 * the closing event has the whole value, and a client that joins again gets it from the start.
 */
export function extend(live: Live, offset: number, text: string): Live {
  const end = live.from + live.text.length
  if (offset > end || offset + text.length <= end) return live
  return { from: live.from, text: live.text + text.slice(end - offset) }
}

/**
 * For output that may never end and that no event brings whole: after a gap it goes on with what is
 * new, and the oldest goes when there is twice what is shown.
 */
export function extendTail(live: Live, offset: number, text: string): Live {
  const isGap = offset > live.from + live.text.length
  const longer = isGap ? { from: offset, text } : extend(live, offset, text)
  const excess = longer.text.length - limits.shownBytes
  if (excess <= limits.shownBytes) return longer
  return { from: longer.from + excess, text: longer.text.slice(excess) }
}
