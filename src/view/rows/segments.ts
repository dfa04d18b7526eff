import { formerReplyTags, replyTags, type ReplyTag } from '../../base/reply-tags.ts'
import { limits } from '../../protocol/limits.ts'
import type { ReplyEntry } from '../fold/entry.ts'
import { fenceEnd } from '../../base/code-in-text.ts'

/** A block with a frame, a title and a button: a fence, or a tag. */
const frame = 32
/** A line may be a paragraph or an item of its own, and a bar begins a cell. */
const line = 4
/** Half an element, of those that a pair of marks makes. */
const mark = 2
const charsPerPoint = 64

interface Stretch {
  from: number
  to: number
}

/** How much of a reply's prose can be drawn as Markdown for so many points; the rest begins a line. */
function affordable(
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
function frameCost(text: string, from: number, to: number): number {
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

/** A stretch of a reply: prose to be read as Markdown, something between tags, or a rest too long for either. */
export type Segment =
  | { kind: 'prose'; source: string }
  | { kind: 'tag'; tag: ReplyTag['name']; body: string; isOpen: boolean }
  | { kind: 'rest'; source: string }

/** A tag costs more than its frame, so one of these is not drawn. */
const mostTags = limits.markdownCost / frame

/** A reply with its tags set apart, to be drawn as what they do. The stored text stays as it is. */
export function segmentsOf(text: string, tags = replyTags(text, mostTags)): readonly Segment[] {
  const segments: Segment[] = []
  let end = 0
  let points: number = limits.markdownCost
  const write = (kind: 'prose' | 'rest', to: number) => {
    const source = text.slice(end, to)
    if (source.trim() !== '') segments.push({ kind, source })
    end = to
  }
  /** False once there is a rest. */
  const prose = (to: number): boolean => {
    const drawn = affordable(text, { from: end, to }, points)
    points = drawn.left
    write('prose', drawn.end)
    return end === to
  }
  for (const { from, to, name, keys, inner, isClosed } of tags) {
    if (!prose(from)) break
    points -= frameCost(text, from, to)
    if (points < 0) break
    segments.push({ kind: 'tag', tag: name, body: keys ?? inner.trim(), isOpen: !isClosed })
    end = to
  }
  if (points > 0) prose(text.length)
  write('rest', text.length)
  return segments
}

const known = new WeakMap<ReplyEntry, readonly Segment[]>()
const knownFormer = new WeakMap<ReplyEntry, readonly Segment[]>()

export const replyText = ({ reply }: ReplyEntry): string =>
  reply.phase === 'open' ? reply.live.text : reply.text

/** Both who arranges the rows and who draws them ask; a long chat asks for all of its replies. */
export function replySegments(entry: ReplyEntry): readonly Segment[] {
  const segments = known.get(entry) ?? segmentsOf(replyText(entry))
  known.set(entry, segments)
  return segments
}

/** The same for a reply of an earlier version, which took tags that are only shown today. */
export function formerSegments(entry: ReplyEntry): readonly Segment[] {
  const text = replyText(entry)
  const segments = knownFormer.get(entry) ?? segmentsOf(text, formerReplyTags(text, mostTags))
  knownFormer.set(entry, segments)
  return segments
}
