import { memo } from 'react'
import type { ReplyEntry } from '../../view/entry.ts'
import { CopyButton } from '../text/copy-button.tsx'
import { SegmentView } from './reply-segment.tsx'
import { replySegments, replyText } from './reply-segments.ts'
import type { ReplyPart } from './rows.ts'

const stops: Readonly<Record<string, string>> = {
  aborted: 'stopped here',
  length: 'cut at the model’s output limit',
  lost: 'the rest got lost when the server stopped',
}

/** The calls that its tags made stand between the parts of a reply. */
type ReplyEntryProps = ReplyPart & { entry: ReplyEntry }

/** The model's words, as they come. */
export const ReplyEntryView = memo(function ReplyEntryView(props: ReplyEntryProps) {
  const { entry, from, to, isFirst } = props
  const { reply } = entry
  const isOpen = reply.phase === 'open'
  const text = replyText(entry)
  if (text === '' && isOpen) return <p className="reply-thinking">thinking…</p>
  const segments = replySegments(entry).slice(from, to ?? undefined)
  const note = reply.phase === 'settled' && to === null ? stops[reply.stop] : undefined
  return (
    <article className="reply" aria-label="Reply of the model" aria-busy={isOpen}>
      {!isOpen && isFirst && text.trim() !== '' && (
        <CopyButton text={() => text} label="Copy reply" />
      )}
      <div className="prose">
        {segments.map((segment, at) => (
          <SegmentView key={at} segment={segment} isOpen={isOpen && at === segments.length - 1} />
        ))}
      </div>
      {note !== undefined && <p className="reply-note">{note}</p>}
    </article>
  )
})
