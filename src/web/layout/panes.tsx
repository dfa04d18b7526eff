import {
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type PointerEvent,
  lazy,
  Suspense,
} from 'react'
import { terminalRun } from '../../log/open.ts'
import type { View } from '../../view/fold/view.ts'
import { terminalInFront, useNarrow } from '../state/panels.ts'
import { useSession } from '../state/session.ts'
import { settings, change } from '../state/settings.ts'
import { useStore } from '../state/use-store.ts'
import type { At } from '../../protocol/events/seq.ts'
import { Boundary, Broken } from '../parts/boundary.tsx'

interface PanesProps {
  view: View
  chat: ReactNode
  terminal: ReactNode
  /** The recording is what one came for, so its side is open. */
  isReplay: boolean
}

/** Chat and terminal: side by side where there is room, else one behind the other. */
export function Panes({ view, chat, terminal, isReplay }: PanesProps) {
  const isNarrow = useNarrow()
  const { terminalOpen } = useStore(settings)
  if (!isNarrow) return <Split left={chat} right={terminal} isSplit={terminalOpen || isReplay} />
  return <Tabs view={view} chat={chat} terminal={terminal} />
}

const names = ['chat', 'terminal'] as const

function Tabs({ view, chat, terminal }: Omit<PanesProps, 'isReplay'>) {
  const isBusy = terminalRun(view.state) !== undefined
  const { id } = useSession()
  const tab = useStore(terminalInFront) === id ? 'terminal' : 'chat'
  const list = useRef<HTMLDivElement>(null)
  const show = (name: (typeof names)[number]) => terminalInFront.set(name === 'chat' ? null : id)

  function onKey({ key }: KeyboardEvent): void {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
    const next = tab === 'chat' ? 'terminal' : 'chat'
    show(next)
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
  }

  return (
    <div className="tabs">
      <div
        className="tab-list"
        role="tablist"
        aria-label="Chat or terminal"
        ref={list}
        onKeyDown={onKey}
      >
        {names.map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            tabIndex={tab === name ? 0 : -1}
            aria-selected={tab === name}
            aria-controls="pane"
            onClick={() => show(name)}
          >
            {name}
            {name === 'terminal' && isBusy && (
              <span className="tab-dot" role="img" aria-label="something runs" />
            )}
          </button>
        ))}
      </div>
      <div className="tab-pane" role="tabpanel" id="pane" aria-labelledby={`tab-${tab}`}>
        {tab === 'chat' ? chat : terminal}
      </div>
    </div>
  )
}

interface SplitProps {
  left: ReactNode
  right: ReactNode
  /** Without a right side the left one has all the room. */
  isSplit: boolean
}

const smallest = 0.25
const largest = 0.8
const step = 0.03
/** Until somebody moves the bar, the terminal has 80 columns and the chat the rest, up to a half or so. */
const ownPlace = { share: 0.395, basis: 'clamp(39.5%, 100% - 640px, 52%)' }

/** Chat and terminal side by side; the bar between them is dragged, or moved with the arrows. */
function Split({ left, right, isSplit }: SplitProps) {
  const { split } = useStore(settings)
  const box = useRef<HTMLDivElement>(null)
  const set = (share: number) => change({ split: Math.min(largest, Math.max(smallest, share)) })

  /** The bar is moved from where it is. */
  function stay(): void {
    const [room, chat] = [box.current, box.current?.firstElementChild]
    if (split === null && room && chat) set(chat.clientWidth / room.clientWidth)
  }

  function onMove(event: PointerEvent): void {
    const rect = box.current?.getBoundingClientRect()
    if (!rect || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    set((event.clientX - rect.left) / rect.width)
  }

  function onKey(event: KeyboardEvent): void {
    const move = { ArrowLeft: -step, ArrowRight: step }[event.key]
    if (move === undefined) return
    event.preventDefault()
    set((split ?? ownPlace.share) + move)
  }

  return (
    <div className="split" ref={box}>
      <div className="split-left" style={isSplit ? { flexBasis: basisOf(split) } : undefined}>
        {left}
      </div>
      {isSplit && (
        <div
          className="split-bar"
          role="separator"
          tabIndex={0}
          aria-orientation="vertical"
          aria-label="Room for the chat"
          aria-valuemin={smallest * 100}
          aria-valuemax={largest * 100}
          aria-valuenow={Math.round((split ?? ownPlace.share) * 100)}
          onFocus={stay}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={onMove}
          onKeyDown={onKey}
        />
      )}
      {isSplit && <div className="split-right">{right}</div>}
    </div>
  )
}

const basisOf = (split: number | null) => (split === null ? ownPlace.basis : `${split * 100}%`)

// Pieces of their own, since the page is read before they are needed.
const Panel = lazy(async () => ({ default: (await import('../terminal/panel.tsx')).Panel }))
const Replay = lazy(async () => ({
  default: (await import('../terminal/replay/replay-screen.tsx')).ReplayScreen,
}))

interface TerminalSideProps {
  view: View
  /** How far the recording was watched; null: the terminal is live. */
  replayedTo: At | null
  onTime: (at: At | null) => void
}

/** The session's terminal, or its recording. Showing the terminal starts the shell; it never takes the focus. */
export function TerminalSide({ view, replayedTo, onTime }: TerminalSideProps) {
  const what = replayedTo === null ? 'terminal' : 'recording'
  return (
    <Boundary fallback={<Broken what="The terminal" />}>
      <Suspense key={what} fallback={<p className="terminal-opening">{`Opening the ${what}…`}</p>}>
        {replayedTo === null ? <Panel view={view} /> : <Replay view={view} onTime={onTime} />}
      </Suspense>
    </Boundary>
  )
}
