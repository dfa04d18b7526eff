import type { Link } from '../../client/session/feed.ts'
import type { View } from '../../view/fold/view.ts'
import { dialog } from '../state/panels.ts'
import { useSession } from '../state/session.ts'
import { folderName } from '../../view/words/who.ts'
import { focusAsk, useDismiss } from '../parts/focus.ts'
import { type ApprovalMode, modeWords } from '../../protocol/events/approval-mode.ts'
import { offeredModes } from '../../view/words/ask.ts'
import { Menu } from '../parts/menu.tsx'
import { EyeOffIcon } from '../parts/icons.tsx'
import { lazy, Suspense, useRef, useState } from 'react'
import { meterWords } from '../../view/words/meter.ts'

interface StatusBarProps {
  view: View
  link: Link
  model: string | null
}

/** One quiet line: the line's state, who is asked, where the shell is, what the turn cost. */
export function StatusBar({ view, link, model }: StatusBarProps) {
  const { update } = useSession()
  const { state, terminal } = view
  const cwd = terminal?.cwd ?? state.shell.cwd
  const asks = state.asks.length
  return (
    <div className="status-bar">
      <Connection link={link} />
      {asks > 0 && (
        <button className="status-ask" type="button" onClick={focusAsk} title="Go to it (Alt+A)">
          {asks === 1 ? '1 approval waits' : `${asks} approvals wait`}
        </button>
      )}
      <button
        className="status-button"
        type="button"
        title={model === null ? 'Choose the model' : `Choose the model; now ${model}`}
        onClick={() => dialog.set('models')}
      >
        <ModelName name={model ?? 'model'} />
      </button>
      <ModeMenu now={state.approval} />
      <button
        className={`status-button is-switch${state.private ? ' is-on' : ''}`}
        type="button"
        role="switch"
        aria-checked={state.private}
        title="While private, the model sees nothing of what is run"
        onClick={() => void update({ private: !state.private })}
      >
        <EyeOffIcon /> <span className="status-word">private</span>
      </button>
      {cwd !== null && (
        <span className="status-cwd" title={`The shell is in ${cwd}`}>
          <bdi>{folderName(cwd)}</bdi>
        </span>
      )}
      <Meter view={view} />
    </div>
  )
}

/** The provider is left to the title where there is little room. */
function ModelName({ name }: { name: string }) {
  const start = name.indexOf('/') + 1
  return (
    <span className="status-model">
      {start > 0 && <span className="status-provider">{name.slice(0, start)}</span>}
      {name.slice(start)}
    </span>
  )
}

/** How the line to the session stands; said in words, not by colour alone. */
function Connection({ link }: { link: Link }) {
  return (
    <span className={`connection is-${link.phase}`} role="status" data-phase={link.phase}>
      <span className="connection-dot" aria-hidden="true" />
      <span className="status-word">{link.phase}</span>
    </span>
  )
}

/** The mode of the session, and all others with what they do. */
function ModeMenu({ now }: { now: ApprovalMode }) {
  const { update } = useSession()
  const { name } = modeWords[now]
  return (
    <Menu
      label={`Approval: ${name}`}
      words={name}
      items={offeredModes.map((offer) => ({
        label: offer.name,
        about: offer.about,
        isChosen: offer.mode === now,
        act: () => void update({ approval: offer.mode }),
      }))}
    />
  )
}

const Detail = lazy(() =>
  import('./meter-detail.tsx').then((module) => ({ default: module.MeterDetail })),
)

/** How full the model is and what the session cost; the rest of the figures is behind it. */
function Meter({ view }: { view: View }) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  useDismiss(box, isOpen, () => setOpen(false))
  const words = meterWords(view)
  if (words === null) return null
  return (
    <div
      className="meter"
      ref={box}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) close()
      }}
    >
      <button
        ref={button}
        className={`status-button${words.isNearlyFull ? ' is-full' : ''}`}
        type="button"
        aria-expanded={isOpen}
        aria-label={`Usage: ${words.short}`}
        title="Tokens as the provider counts them, and what they cost"
        onClick={() => setOpen(!isOpen)}
      >
        {words.short}
        {words.isBroken && <strong> · prefix broken</strong>}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <Detail words={words} onDone={close} />
        </Suspense>
      )}
    </div>
  )
}
