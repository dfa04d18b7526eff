import { useState, useRef, type KeyboardEvent } from 'react'
import type { View } from '../../view/fold/view.ts'
import { mayAdopt } from '../../view/status.ts'
import { whyAdopt } from '../../view/words/terminal-line.ts'
import { useDismiss } from '../parts/focus.ts'
import { useStore } from '../state/use-store.ts'
import { terminalKeys } from './keys.ts'
import { options, setOption } from './options.ts'
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

function OptionsMenu() {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useDismiss(box, isOpen, () => setOpen(false))

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !isOpen) return
    setOpen(false)
    box.current?.querySelector('button')?.focus()
  }

  return (
    <div className="terminal-options" ref={box} onKeyDown={onKey}>
      <button
        type="button"
        aria-label="Terminal options"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      {isOpen && <Options />}
    </div>
  )
}

const choices = [
  { name: 'copiesSelection', label: 'Copy what is selected' },
  { name: 'isSpoken', label: 'Screen reader mode' },
] as const

function Options() {
  const chosen = useStore(options)
  return (
    <div className="terminal-menu">
      {choices.map(({ name, label }) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen[name]}
            onChange={(event) => setOption({ [name]: event.target.checked })}
          />
          {label}
        </label>
      ))}
      <dl>
        {terminalKeys.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
