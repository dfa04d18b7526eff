import { useRef, useState, type KeyboardEvent } from 'react'
import { useDismiss } from '../layout/use-dismiss.ts'
import { useStore } from '../state/store.ts'
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

function Options() {
  const { isSpoken, copiesSelection } = useStore(options)
  return (
    <div className="terminal-menu">
      <label>
        <input
          type="checkbox"
          checked={copiesSelection}
          onChange={(event) => setOption({ copiesSelection: event.target.checked })}
        />
        Copy what is selected
      </label>
      <label>
        <input
          type="checkbox"
          checked={isSpoken}
          onChange={(event) => setOption({ isSpoken: event.target.checked })}
        />
        Screen reader mode
      </label>
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
