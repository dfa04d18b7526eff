import { memo, useEffect, useRef, useSyncExternalStore } from 'react'
import type { ReplyEntry } from '../../view/fold/entry.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { replyText } from '../../view/rows/segments.ts'
import { partSegments, type ReplyPart } from '../../view/rows/rows.ts'
import { seconds } from '../../protocol/events/message.ts'
import { shownThoughts } from '../../view/words/thoughts.ts'
import { useSession } from '../state/session.ts'
import { SegmentView } from './segment.tsx'
import { ThoughtsView } from './thoughts.tsx'
import { useNow } from './use-now.ts'

const stops: Readonly<Record<string, string>> = {
  aborted: 'stopped here',
  length: 'cut at the model’s output limit',
  lost: 'the rest got lost when the server stopped',
}

/** The calls that its tags made stand between the parts of a reply. */
type ReplyEntryProps = ReplyPart & { entry: ReplyEntry }

/** The model's words, as they come. */
export const ReplyEntryView = memo(function ReplyEntryView(props: ReplyEntryProps) {
  const { to, isFirst } = props
  const entry = useNewest(props.entry)
  const isOpen = entry.reply.phase === 'open'
  const text = replyText(entry)
  const thoughts = isFirst ? shownThoughts(entry) : null
  if (text === '' && isOpen && thoughts === null) return <Thinking since={entry.at} />
  const segments = partSegments(entry, props)
  return (
    <article className="reply" aria-label="Reply of the model" aria-busy={isOpen}>
      {!isOpen && isFirst && text.trim() !== '' && (
        <CopyButton text={() => text} label="Copy reply" />
      )}
      {thoughts && <ThoughtsView seq={entry.seq} since={entry.at} thoughts={thoughts} />}
      <div className="prose">
        {segments.map((segment, at) => (
          <SegmentView key={at} segment={segment} isOpen={isOpen && at === segments.length - 1} />
        ))}
      </div>
      {to === null && <ReplyEnd entry={entry} />}
    </article>
  )
})

/** The line below a reply: it goes on without a word, or ended otherwise than by itself. */
function ReplyEnd({ entry }: { entry: ReplyEntry }) {
  const { reply } = entry
  if (reply.phase === 'open') {
    const isThinking = shownThoughts(entry)?.isThinking === true
    return isThinking ? null : <Waiting said={reply.live.text.length} />
  }
  const note = stops[reply.stop]
  return note === undefined ? null : <p className="reply-note">{note}</p>
}

/** A model may think for minutes: somebody who waits sees that time passes. */
function Thinking({ since }: { since: number }) {
  const waited = useNow(true) - since
  return (
    <p className="reply-thinking">
      Thinking…
      {waited >= 2_000 && <span className="run-clock">{seconds(waited)}</span>}
    </p>
  )
}

/** A pause that somebody would wonder about. */
const pauseMs = 3_000

/** After its first word a model may write a call, which is not seen before it is whole. */
function Waiting({ said }: { said: number }) {
  const now = useNow(true)
  const since = useRef(now)
  useEffect(() => {
    since.current = Date.now()
  }, [said])
  const waited = now - since.current
  if (waited < pauseMs) return null
  return (
    <p className="reply-thinking is-after">
      Working…<span className="run-clock">{seconds(waited)}</span>
    </p>
  )
}

/** The words of the open reply come faster than anything else changes, and by a way of their own. */
function useNewest(entry: ReplyEntry): ReplyEntry {
  const { reply } = useSession()
  return useSyncExternalStore(reply.subscribe, () => {
    const open = entry.reply.phase === 'open' ? reply.get() : null
    return open?.seq === entry.seq ? open : entry
  })
}
