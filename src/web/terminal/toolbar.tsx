import { useState } from 'react'
import type { View } from '../../view/view.ts'
import { OptionsMenu } from './options-menu.tsx'
import type { TerminalActions } from './panel-props.ts'
import type { Restart } from './use-restart.ts'
import type { Stop } from './use-stop.ts'
import { whoDrives } from './who-drives.ts'

interface ToolbarProps {
  view: View
  actions: TerminalActions
  stop: Stop
  restart: Restart
  onFind: () => void
}

export function Toolbar({ view, actions, stop, restart, onFind }: ToolbarProps) {
  const who = whoDrives(view)
  return (
    <header className="terminal-bar">
      <p className="terminal-who" data-who={who.who}>
        {who.label}
      </p>
      <div className="terminal-acts" role="toolbar" aria-label="Terminal">
        {who.who === 'model' && (
          <button type="button" className="is-main" onClick={() => void actions.drive('person')}>
            Take over
          </button>
        )}
        {who.who === 'taken' && (
          <button type="button" className="is-main" onClick={() => void actions.drive('model')}>
            Hand back
          </button>
        )}
        {stop.press && (
          <button type="button" className="is-stop" onClick={stop.press}>
            {stop.label}
          </button>
        )}
        <Restart restart={restart} />
        <button type="button" onClick={onFind}>
          Find
        </button>
        <OptionsMenu />
      </div>
    </header>
  )
}

/** A new shell loses what the old one held, so a living one is not ended by one slip. */
function Restart({ restart }: { restart: Restart }) {
  const [isAsked, setAsked] = useState(false)
  if (isAsked && !restart.isOver)
    return (
      <span className="terminal-sure" role="group" aria-label="Restart the shell?">
        <span>Variables, functions and jobs are lost.</span>
        <button
          type="button"
          className="is-stop"
          onClick={() => {
            setAsked(false)
            restart.press()
          }}
        >
          Restart now
        </button>
        <button type="button" onClick={() => setAsked(false)}>
          Keep it
        </button>
      </span>
    )
  return (
    <button
      type="button"
      className={restart.isOver ? 'is-main' : ''}
      onClick={restart.isOver ? restart.press : () => setAsked(true)}
    >
      Restart
    </button>
  )
}
