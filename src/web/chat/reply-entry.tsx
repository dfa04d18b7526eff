import { memo, lazy, Suspense, useSyncExternalStore } from 'react'
import type { ReplyEntry } from '../../view/fold/entry.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { replyText, type Segment } from '../../view/rows/segments.ts'
import { partSegments, type ReplyPart } from '../../view/rows/rows.ts'
import { Boundary } from '../parts/boundary.tsx'
import { loadWhenIdle } from '../parts/focus.ts'
import { wholeSeconds } from '../../view/words/clock.ts'
import { useSession } from '../state/session.ts'
import { LongText } from './long-text.tsx'
import { useNow } from './use-now.ts'
import { CommandText } from '../text/command-text.tsx'

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
  const { reply } = entry
  const isOpen = reply.phase === 'open'
  const text = replyText(entry)
  if (text === '' && isOpen) return <Thinking since={entry.at} />
  const segments = partSegments(entry, props)
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

/** A model may think for minutes: somebody who waits sees that time passes. */
function Thinking({ since }: { since: number }) {
  const waited = useNow(true) - since
  return (
    <p className="reply-thinking">
      thinking…
      {waited >= 2_000 && <span className="run-clock">{wholeSeconds(waited)}</span>}
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

/** Loaded beside the page, not before it: the first reply takes longer than that to come. */
const loadProse = () => import('../markdown/prose.tsx')
const Prose = lazy(() => loadProse().then((module) => ({ default: module.Prose })))
loadWhenIdle(loadProse)

const SegmentView = memo(
  function SegmentView({ segment, isOpen }: { segment: Segment; isOpen: boolean }) {
    if (segment.kind === 'prose') {
      const plain = <p className="plain-text">{segment.source}</p>
      return (
        <Boundary fallback={plain}>
          <Suspense fallback={plain}>
            <Prose source={segment.source} isOpen={isOpen} />
          </Suspense>
        </Boundary>
      )
    }
    if (segment.kind === 'rest')
      return (
        <div className="plain-text">
          <LongText text={segment.source} />
        </div>
      )
    return (
      <div className={`tag-block is-${segment.tag}`}>
        <span className="tag-block-sign" aria-hidden="true">
          {signs[segment.tag]}
        </span>
        <code>
          {segment.tag === 'interrupt' || segment.tag === 'screen' ? (
            words[segment.tag]
          ) : (
            <LongText text={segment.body} draw={(command) => <CommandText command={command} />} />
          )}
        </code>
      </div>
    )
  },
  (before, after) => before.isOpen === after.isOpen && isSame(before.segment, after.segment),
)

const signs = { shell: '$', input: '⌨', interrupt: '⏹', screen: '▤' } as const
const words = { interrupt: 'Ctrl+C', screen: 'look at the terminal' } as const

/** Segments are made anew with each delta; finished ones say the same. */
function isSame(a: Segment, b: Segment): boolean {
  if (a.kind !== 'tag') return b.kind === a.kind && a.source === b.source
  return b.kind === 'tag' && a.tag === b.tag && a.body === b.body && a.isOpen === b.isOpen
}
