import { lazy, Suspense, useRef, type PointerEvent } from 'react'
import type { SessionState } from '../../log/state.ts'
import { SendIcon, StopIcon } from '../layout/icons.tsx'
import { composerOf } from '../state/composer-state.ts'
import { useSession } from '../state/session.ts'
import { CompletionList } from './completion-list.tsx'
import { ComposerField } from './composer-field.tsx'
import { QueueRows } from './queue-rows.tsx'
import { RefusedLetter } from './refused-letter.tsx'
import { useComposer } from './use-composer.ts'

const HistorySearch = lazy(() =>
  import('./history-search.tsx').then((module) => ({ default: module.HistorySearch })),
)

interface ComposerProps {
  state: SessionState
  /** Null when nothing is under way. */
  stop: (() => void) | null
}

/** Where a person writes: raw text goes out, and the session says what it means. */
export function Composer({ state, stop }: ComposerProps) {
  const { id } = useSession()
  const composer = composerOf(id)
  const field = useRef<HTMLTextAreaElement>(null)
  const input = useComposer({ composer, field, stop })
  const { text, mode, shown, chosen } = input
  const isBash = mode === 'bash'
  return (
    <div className={`composer is-${mode}`}>
      <QueueRows queue={state.queue} composer={composer} />
      <RefusedLetter composer={composer} />
      {shown && <CompletionList items={shown.items} chosen={chosen} onPick={input.pick} />}
      <div className="composer-line">
        <span className="composer-sign" aria-hidden="true">
          {isBash ? 'bash>' : '>'}
        </span>
        <ComposerField ref={field} input={input} />
        {isBash && <span className="bash-badge">[BASH]</span>}
        {input.isPasted && /^\s*[!/]/.test(text) && (
          <button
            className="tag"
            type="button"
            title="Send it as if it had been typed"
            onClick={input.unpaste}
          >
            pasted text
          </button>
        )}
        <SendOrStop isEmpty={text.trim() === ''} send={input.send} stop={stop} />
      </div>
      {input.isSearching && (
        <Suspense>
          <HistorySearch
            kind={isBash ? 'shell' : 'chat'}
            onPick={(found) => composer.put(found, isBash ? 'run' : 'auto')}
            onClose={input.endSearch}
          />
        </Suspense>
      )}
    </div>
  )
}

interface SendOrStopProps {
  isEmpty: boolean
  send: () => void
  stop: (() => void) | null
}

/** Whoever presses it goes on writing. */
const keepFocus = (event: PointerEvent) => event.preventDefault()

/** One place: with something to send it sends, else it stops what is under way. */
function SendOrStop({ isEmpty, send, stop }: SendOrStopProps) {
  if (isEmpty && stop)
    return (
      <button
        className="send-button is-stop"
        type="button"
        aria-label="Stop"
        title="Stop (Esc)"
        onPointerDown={keepFocus}
        // The second click of a double click on Send is not meant for it.
        onClick={({ detail }) => detail < 2 && stop()}
      >
        <StopIcon />
      </button>
    )
  return (
    <button
      className="send-button"
      type="button"
      aria-label="Send"
      title="Send (Enter)"
      disabled={isEmpty}
      onPointerDown={keepFocus}
      onClick={send}
    >
      <SendIcon />
    </button>
  )
}
