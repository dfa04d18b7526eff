import { memo } from 'react'
import type { ReplyEntry } from '../../view/entry.ts'
import { segmentsOf } from '../markdown/segments.ts'
import { CopyButton } from '../text/copy-button.tsx'
import { SegmentView } from './reply-segment.tsx'

const stops: Readonly<Record<string, string>> = {
  aborted: 'stopped here',
  failed: 'the model failed here',
  length: 'cut at the model’s output limit',
  lost: 'the rest got lost when the server stopped',
}

/** The model's words, as they come. */
export const ReplyEntryView = memo(function ReplyEntryView({ entry }: { entry: ReplyEntry }) {
  const { reply } = entry
  const isOpen = reply.phase === 'open'
  const text = isOpen ? reply.live.text : reply.text
  const segments = segmentsOf(text)
  if (text === '' && isOpen) return <p className="reply-thinking">thinking…</p>
  const note = reply.phase === 'settled' ? stops[reply.stop] : undefined
  return (
    <article className="reply" aria-label="Reply of the model" aria-busy={isOpen}>
      {segments.map((segment, at) => (
        <SegmentView key={at} segment={segment} isOpen={isOpen && at === segments.length - 1} />
      ))}
      {note !== undefined && <p className="reply-note">{note}</p>}
      {!isOpen && text.trim() !== '' && (
        <div className="reply-tools">
          <CopyButton text={() => text} label="Copy reply" />
        </div>
      )}
    </article>
  )
})
