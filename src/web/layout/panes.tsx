import { useState, type ReactNode } from 'react'
import { terminalRun } from '../../log/open.ts'
import type { View } from '../../view/view.ts'
import { settings } from '../state/settings.ts'
import { useStore } from '../state/store.ts'
import { Split } from './split.tsx'

interface PanesProps {
  view: View
  chat: ReactNode
  terminal: ReactNode
  isNarrow: boolean
  /** The recording is what one came for, so its side is open. */
  isReplay: boolean
}

/** Chat and terminal: side by side where there is room, else one behind the other. */
export function Panes({ view, chat, terminal, isNarrow, isReplay }: PanesProps) {
  const { terminalOpen } = useStore(settings)
  const [tab, setTab] = useState<'chat' | 'terminal'>('chat')
  if (!isNarrow) return <Split left={chat} right={terminal} isSplit={terminalOpen || isReplay} />
  const isBusy = terminalRun(view.state) !== undefined
  return (
    <div className="tabs">
      <div className="tab-list" role="tablist" aria-label="Chat or terminal">
        {(['chat', 'terminal'] as const).map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={tab === name}
            aria-controls={`pane-${name}`}
            onClick={() => setTab(name)}
          >
            {name}
            {name === 'terminal' && isBusy && (
              <span className="tab-dot" aria-label="something runs" />
            )}
          </button>
        ))}
      </div>
      <div className="tab-pane" role="tabpanel" id={`pane-${tab}`} aria-labelledby={`tab-${tab}`}>
        {tab === 'chat' ? chat : terminal}
      </div>
    </div>
  )
}
