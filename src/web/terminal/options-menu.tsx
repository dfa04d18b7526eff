import { useRef, useState, type KeyboardEvent } from 'react'
import { useDismiss } from '../parts/focus.ts'
import { useStore } from '../state/use-store.ts'
import { terminalKeys } from './keys.ts'
import { options, setOption } from './options.ts'

export function OptionsMenu() {
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
