import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { terminalRun } from '../../log/open.ts'
import type { View } from '../../view/fold/view.ts'
import { terminalInFront, useNarrow } from '../state/panels.ts'
import { useSession } from '../state/session.ts'
import { settings } from '../state/settings.ts'
import { useStore } from '../state/use-store.ts'
import { Split } from './split.tsx'

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
