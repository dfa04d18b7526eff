import type { ReplyEntry } from '../../view/entry.ts'
import { segmentsOf, type Segment } from '../markdown/segments.ts'

const known = new WeakMap<ReplyEntry, readonly Segment[]>()

export const replyText = ({ reply }: ReplyEntry): string =>
  reply.phase === 'open' ? reply.live.text : reply.text

/** Both who arranges the rows and who draws them ask; a long chat asks for all of its replies. */
export function replySegments(entry: ReplyEntry): readonly Segment[] {
  const segments = known.get(entry) ?? segmentsOf(replyText(entry))
  known.set(entry, segments)
  return segments
}
