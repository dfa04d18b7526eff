import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { MoreIcon } from './icons.tsx'

export interface MenuItem {
  label: string
  act: () => void
  isGrave?: boolean
}

/** A button and what it offers; arrows walk, Esc closes and gives the focus back. */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    box.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
    const onOutside = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false)
    }
    addEventListener('pointerdown', onOutside)
    return () => removeEventListener('pointerdown', onOutside)
  }, [isOpen])

  function close(): void {
    setOpen(false)
    box.current?.querySelector('button')?.focus()
  }

  function onKey(event: KeyboardEvent): void {
    if (!isOpen) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape' || event.key === 'Tab') close()
    if (step === undefined) return
    event.preventDefault()
    const all = [...(box.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
    const at = all.findIndex((each) => each === document.activeElement)
    all[(at + step + all.length) % all.length]?.focus()
  }

  return (
    <div className="menu" ref={box} onKeyDown={onKey}>
      <button
        className="icon-button quiet"
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <MoreIcon />
      </button>
      {isOpen && (
        <div className="menu-items" role="menu" aria-label={label}>
          {items.map((item) => (
            <button
              key={item.label}
              className={item.isGrave ? 'is-grave' : undefined}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close()
                item.act()
              }}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
