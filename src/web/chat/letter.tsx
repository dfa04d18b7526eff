import { collapse } from '../../view/label.ts'
import type { Pending } from '../state/outbox.ts'
import { usePage } from '../state/page.ts'
import { CommandText } from '../text/command-text.tsx'
import { LongText } from './long-text.tsx'

/** A text on its way: drawn at once, from what was typed. What it becomes the session will say. */
export function LetterView({ letter }: { letter: Pending }) {
  const { outbox } = usePage()
  const isWaiting = letter.state.phase === 'waiting'
  const isRun =
    letter.as === 'run' || (letter.as === 'auto' && /^\s*(!|\/shell\b)/.test(letter.text))
  const note = isWaiting ? (
    <span className="letter-note">
      waits for the server
      <button className="link-button" type="button" onClick={() => outbox.drop(letter.key)}>
        Take back
      </button>
    </span>
  ) : null
  if (!isRun)
    return (
      <article className="prompt is-pending">
        <span className="prompt-sign" aria-hidden="true">
          &gt;
        </span>
        <p dir="auto">
          <LongText text={letter.text} />
        </p>
        {note}
      </article>
    )
  return (
    <article className="msg-shell is-pending" aria-label={`Command: ${letter.text}`}>
      <header>
        <p className="run-line">
          <span className="run-glyph">🖥 </span>
          <CommandText command={collapse(letter.text).shown} />{' '}
          <span className="run-state">{note ?? '⏳ Running...'}</span>
        </p>
      </header>
    </article>
  )
}
