import type { BarKey } from './keys.ts'

interface KeyBarProps {
  /** Ctrl is held for the next key. */
  isCtrl: boolean
  onCtrl: () => void
  onKey: (key: BarKey) => void
  /** Gives the phone its keyboard back. */
  onFocus: () => void
}

const keys = [
  { label: 'Esc', name: 'Escape', key: { sends: '\x1b' } },
  { label: 'Tab', name: 'Tab', key: { sends: '\t' } },
  { label: '←', name: 'Left', key: { arrow: 'D' } },
  { label: '↑', name: 'Up', key: { arrow: 'A' } },
  { label: '↓', name: 'Down', key: { arrow: 'B' } },
  { label: '→', name: 'Right', key: { arrow: 'C' } },
  { label: '⌃C', name: 'Ctrl C', key: { sends: '\x03' } },
] as const

/** Keys that the keyboard of a phone lacks. */
export function KeyBar({ isCtrl, onCtrl, onKey, onFocus }: KeyBarProps) {
  // The terminal must not lose the focus to a key of its own keyboard.
  const keep = (event: React.PointerEvent) => event.preventDefault()
  return (
    <div className="terminal-keys" role="toolbar" aria-label="Keys" onPointerDown={keep}>
      <button
        type="button"
        aria-pressed={isCtrl}
        onClick={() => {
          onCtrl()
          onFocus()
        }}
      >
        Ctrl
      </button>
      {keys.map(({ label, name, key }) => (
        <button key={name} type="button" aria-label={name} onClick={() => onKey(key)}>
          {label}
        </button>
      ))}
    </div>
  )
}
