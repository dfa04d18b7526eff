import { useState } from 'react'
import type { View } from '../../view/fold/view.ts'
import { mayAdopt } from '../../view/status.ts'
import { whyAdopt } from '../../view/words/terminal-line.ts'
import { OptionsMenu } from './options-menu.tsx'
import { useSession } from '../state/session.ts'
import type { useStop, useRestart } from './use-stop.ts'
import { whoDrives } from '../../view/words/who.ts'

interface ToolbarProps {
  view: View
  stop: ReturnType<typeof useStop>
  restart: ReturnType<typeof useRestart>
  onFind: () => void
  /** Somebody wants to type. */
  onType: () => void
}

export function Toolbar({ view, stop, restart, onFind, onType }: ToolbarProps) {
  const { drive, adopt } = useSession()
  const who = whoDrives(view)
  return (
    <header className="terminal-bar">
      <p className="terminal-who" data-who={who.who}>
        {who.label}
      </p>
      <div className="terminal-acts" role="toolbar" aria-label="Terminal">
        {who.who === 'model' && (
          <button
            type="button"
            className="is-main"
            onClick={() => {
              void drive('person')
              onType()
            }}
          >
            Take over
          </button>
        )}
        {who.who === 'taken' && (
          <button type="button" className="is-main" onClick={() => void drive('model')}>
            Hand back
          </button>
        )}
        {mayAdopt(view) && (
          <button
            type="button"
            className="is-main"
            title={whyAdopt}
            onClick={() => {
              void adopt()
              onType()
            }}
          >
            Adopt this shell
          </button>
        )}
        {stop.press && (
          <button type="button" className="is-stop" onClick={stop.press}>
            {stop.label}
          </button>
        )}
        <Restart restart={restart} onType={onType} />
        <button type="button" onClick={onFind}>
          Find
        </button>
        <OptionsMenu />
      </div>
    </header>
  )
}

/** A new shell loses what the old one held, so a living one is not ended by one slip. */
function Restart({ restart, onType }: Pick<ToolbarProps, 'restart' | 'onType'>) {
  const [asked, setAsked] = useState<'no' | 'now' | 'before'>('no')
  const keep = () => setAsked('before')
  if (asked === 'now' && !restart.isOver)
    return (
      <span
        className="terminal-sure"
        role="group"
        aria-label="Restart the shell?"
        onKeyDown={(event) => event.key === 'Escape' && keep()}
      >
        <span>Variables, functions and jobs are lost.</span>
        <button
          type="button"
          className="is-stop"
          onClick={() => {
            setAsked('no')
            restart.press()
            onType()
          }}
        >
          Restart now
        </button>
        <button type="button" autoFocus onClick={keep}>
          Keep it
        </button>
      </span>
    )
  return (
    <button
      type="button"
      className={restart.isOver ? 'is-main' : ''}
      // The keyboard stays where it was before the question.
      autoFocus={asked === 'before'}
      onClick={restart.isOver ? restart.press : () => setAsked('now')}
    >
      {restart.label}
    </button>
  )
}
