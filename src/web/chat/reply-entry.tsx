import {
  memo,
  useEffect,
  useRef,
  useSyncExternalStore,
  useId,
  useMemo,
  lazy,
  Suspense,
} from 'react'
import type { ReplyEntry } from '../../view/fold/entry.ts'
import { CopyButton } from '../parts/buttons.tsx'
import { replyText, segmentsOf, type Segment } from '../../view/rows/segments.ts'
import { partSegments, type ReplyPart } from '../../view/rows/rows.ts'
import { seconds, thoughtWords } from '../../protocol/events/message.ts'
import { shownThoughts, type ShownThoughts } from '../../view/words/clock.ts'
import { useSession } from '../state/session.ts'
import { Boundary } from '../parts/boundary.tsx'
import { loadWhenIdle } from '../parts/focus.ts'
import { CommandText } from '../text/command-text.tsx'
import { LongText } from './long-text.tsx'
import type { Seq } from '../../protocol/events/seq.ts'
import { createStore } from '../../client/store.ts'
import { useStore } from '../state/use-store.ts'
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

interface ThoughtsProps {
  seq: Seq
  /** When the model was asked. */
  since: number
  thoughts: ShownThoughts
}

/** A line that says how long the model thinks, or thought; its words are there for whoever opens it. */
function ThoughtsView({ seq, since, thoughts }: ThoughtsProps) {
  const { id } = useSession()
  const key = `${id}/${seq}`
  const isOpen = useStore(openedThoughts).has(key)
  const body = useId()
  const words = thoughts.isThinking ? <ThinkingClock since={since} /> : thoughtWords(thoughts.ms)
  if (thoughts.text.trim() === '') return <p className="thoughts-line">{words}</p>
  return (
    <div className="thoughts">
      <button
        className={`thoughts-line${thoughts.isThinking ? ' is-thinking' : ''}`}
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? body : undefined}
        onClick={() => toggleThoughts(key)}
      >
        <span className="thoughts-sign" aria-hidden="true">
          ▸
        </span>
        {words}
      </button>
      {isOpen && (
        <div className="thoughts-text prose" id={body} role="region" aria-label="Thoughts">
          <ThoughtsText text={thoughts.text} isOpen={thoughts.isThinking} />
        </div>
      )}
    </div>
  )
}

function ThinkingClock({ since }: { since: number }) {
  return <>Thinking… {seconds(useNow(true) - since)}</>
}

/** Bounded as a reply is; a tag in a thought does nothing, and is drawn as the text that it is. */
const ThoughtsText = memo(function ThoughtsText({
  text,
  isOpen,
}: {
  text: string
  isOpen: boolean
}) {
  const segments = useMemo(() => segmentsOf(text, []), [text])
  return segments.map((segment, at) => (
    <SegmentView key={at} segment={segment} isOpen={isOpen && at === segments.length - 1} />
  ))
})

/** Thoughts that are open, by session and reply: rows come and go as one scrolls. */
const openedThoughts = createStore<ReadonlySet<string>>(new Set())

/** More than anybody opens in one sitting. */
const mostOpen = 500

function toggleThoughts(key: string): void {
  const opened = new Set(openedThoughts.get())
  if (!opened.delete(key)) opened.add(key)
  openedThoughts.set(new Set([...opened].slice(-mostOpen)))
}

/** Loaded beside the page, not before it: the first reply takes longer than that to come. */
const loadProse = () => import('../markdown/prose.tsx')
const Prose = lazy(() => loadProse().then((module) => ({ default: module.Prose })))
loadWhenIdle(loadProse)

/** A stretch of what a model wrote. */
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
