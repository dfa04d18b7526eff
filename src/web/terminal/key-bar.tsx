interface KeyBarProps {
  /** Ctrl is held for the next key. */
  isCtrl: boolean
  onCtrl: () => void
  onKey: (sequence: string) => void
  /** Gives the phone its keyboard back. */
  onFocus: () => void
}

const keys = [
  { label: 'Esc', name: 'Escape', sequence: '\x1b' },
  { label: 'Tab', name: 'Tab', sequence: '\t' },
  { label: '←', name: 'Left', sequence: '\x1b[D' },
  { label: '↑', name: 'Up', sequence: '\x1b[A' },
  { label: '↓', name: 'Down', sequence: '\x1b[B' },
  { label: '→', name: 'Right', sequence: '\x1b[C' },
  { label: '⌃C', name: 'Ctrl C', sequence: '\x03' },
] as const

/** What the keyboard of a phone lacks. */
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
      {keys.map(({ label, name, sequence }) => (
        <button key={name} type="button" aria-label={name} onClick={() => onKey(sequence)}>
          {label}
        </button>
      ))}
    </div>
  )
}
