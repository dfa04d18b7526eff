import { memo, useId, useMemo } from 'react'
import { seconds, thoughtWords } from '../../protocol/events/message.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import { segmentsOf } from '../../view/rows/segments.ts'
import type { ShownThoughts } from '../../view/words/thoughts.ts'
import { openedThoughts, toggleThoughts } from '../state/opened-thoughts.ts'
import { useSession } from '../state/session.ts'
import { useStore } from '../state/use-store.ts'
import { SegmentView } from './segment.tsx'
import { useNow } from './use-now.ts'

interface ThoughtsProps {
  seq: Seq
  /** When the model was asked. */
  since: number
  thoughts: ShownThoughts
}

/** A line that says how long the model thinks, or thought; its words are there for whoever opens it. */
export function ThoughtsView({ seq, since, thoughts }: ThoughtsProps) {
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
