import {
  useLayoutEffect,
  useEffect,
  lazy,
  Suspense,
  useRef,
  type PointerEvent,
  type RefObject,
} from 'react'
import { completionId, CompletionList } from './completion-list.tsx'
import { isTouch, useComposer } from './use-composer.ts'
import { useSession } from '../state/session.ts'
import { useStore } from '../state/use-store.ts'
import type { SessionState } from '../../log/state.ts'
import { isPasted } from '../../view/composer/composing.ts'
import { isDirective } from '../../view/composer/input-kind.ts'
import { Boundary, Broken } from '../parts/boundary.tsx'
import { SendIcon, StopIcon } from '../parts/icons.tsx'
import { QueueRows } from './queue-rows.tsx'
import { RefusedText } from './refused-text.tsx'
import { SecretField } from './secret-field.tsx'

interface ComposerFieldProps {
  ref: RefObject<HTMLTextAreaElement | null>
  input: ReturnType<typeof useComposer>
}

const words = {
  chat: { label: 'Message or command', hint: 'Say something, or run a command with !' },
  bash: { label: 'Bash mode: every line runs as a command', hint: 'A command; exit leaves' },
} as const

/** A longer text is higher than the style allows. */
const measuredChars = 20_000

function ComposerField({ ref, input }: ComposerFieldProps) {
  const { text, mode, offer } = input.state
  useLayoutEffect(() => {
    // As high as its text, up to what the style allows.
    const field = ref.current
    if (!field) return
    field.style.height = 'auto'
    // To measure a megabyte takes longer than to type a letter.
    field.style.height = text.length > measuredChars ? '100vh' : `${field.scrollHeight}px`
  }, [ref, text, mode])
  const list = offer.found && {
    'aria-controls': completionId,
    'aria-activedescendant': `${completionId}-${Math.max(0, offer.chosen)}`,
  }
  return (
    <textarea
      id="composer"
      ref={ref}
      rows={1}
      value={text}
      placeholder={words[mode].hint}
      aria-label={words[mode].label}
      aria-autocomplete="list"
      {...list}
      spellCheck={mode === 'chat'}
      autoCapitalize="off"
      autoCorrect="off"
      enterKeyHint={isTouch ? 'enter' : 'send'}
      onChange={({ target }) => input.onText(target.value, target.selectionStart)}
      onSelect={({ currentTarget }) => input.onCursor(currentTarget.selectionStart)}
      onKeyDown={input.onKey}
      onPaste={(event) => input.onPaste(event.clipboardData.getData('text/plain'))}
    />
  )
}

const HistorySearch = lazy(() =>
  import('./history-search.tsx').then((module) => ({ default: module.HistorySearch })),
)

interface ComposerProps {
  state: SessionState
  /** Something is under way. */
  isBusy: boolean
}

/** The place where a person writes; while a program reads a secret, a masked field stands there. */
export function Composer({ state, isBusy }: ComposerProps) {
  const { secret, composer } = useSession()
  const asked = useStore(secret)
  const { mode } = useStore(composer)
  const secretEnd = useRef(-Infinity)
  useEffect(() => () => void (asked?.isSent && (secretEnd.current = performance.now())), [asked])
  return (
    <div className={asked === null ? `composer is-${mode}` : 'composer'}>
      <QueueRows queue={state.queue} />
      {asked === null ? (
        <OpenComposer isBusy={isBusy} secretEnd={secretEnd} />
      ) : (
        <SecretField now={asked} />
      )}
    </div>
  )
}

interface OpenComposerProps extends Pick<ComposerProps, 'isBusy'> {
  /** The moment at which the masked field had given its line away and went. */
  secretEnd: RefObject<number>
}

/** Raw text goes out, and the session says what it means. */
function OpenComposer({ isBusy, secretEnd }: OpenComposerProps) {
  const session = useSession()
  const { composer, stop } = session
  const field = useRef<HTMLTextAreaElement>(null)
  const input = useComposer(session, field, secretEnd)
  const { text, mode, offer, isSearching } = input.state
  const { dispatch } = composer
  const isBash = mode === 'bash'
  return (
    <>
      <RefusedText />
      {offer.shown && (
        <CompletionList
          items={offer.shown.items}
          chosen={offer.chosen}
          onPick={(item) => dispatch({ type: 'picked', item })}
        />
      )}
      <div className="composer-line">
        <span className="composer-sign" aria-hidden="true">
          {isBash ? 'bash>' : '>'}
        </span>
        <ComposerField ref={field} input={input} />
        {isBash && <span className="bash-badge">[BASH]</span>}
        {isPasted(input.state) && isDirective(text) && (
          <button
            className="tag"
            type="button"
            title="Send it as if it had been typed"
            onClick={() => dispatch({ type: 'unpasted' })}
          >
            pasted text
          </button>
        )}
        <SendOrStop
          isEmpty={text.trim() === ''}
          send={() => dispatch({ type: 'send' })}
          stop={isBusy ? () => void stop() : null}
        />
      </div>
      {isSearching && (
        <Boundary fallback={<Broken what="The search" />}>
          <Suspense>
            <HistorySearch />
          </Suspense>
        </Boundary>
      )}
    </>
  )
}

interface SendOrStopProps {
  isEmpty: boolean
  send: () => void
  stop: (() => void) | null
}

/** The person who presses it goes on writing. */
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
