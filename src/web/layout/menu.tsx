import { useCallback, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react'
import { MoreIcon } from './icons.tsx'
import { useDismiss } from './use-dismiss.ts'

export interface MenuItem {
  label: string
  act: () => void
  isGrave?: boolean
}

/** A button and what it offers; arrows walk, Esc closes and gives the focus back. */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const [isOpen, setOpen] = useState(false)
  const [place, setPlace] = useState<CSSProperties>({})
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const offers = () => [...(box.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
  useDismiss(box, isOpen, () => setOpen(false))
  const onShown = useCallback((list: HTMLDivElement | null) => {
    if (list === null || button.current === null) return
    setPlace(placeBeside(button.current.getBoundingClientRect(), list.offsetHeight))
    list.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true })
  }, [])

  function close(): void {
    setOpen(false)
    button.current?.focus()
  }

  function onKey(event: KeyboardEvent): void {
    if (!isOpen) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape' || event.key === 'Tab') close()
    if (step === undefined) return
    event.preventDefault()
    const all = offers()
    const at = all.findIndex((each) => each === document.activeElement)
    all[(at + step + all.length) % all.length]?.focus()
  }

  return (
    <div className="menu" ref={box} onKeyDown={onKey}>
      <button
        ref={button}
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
        <div className="menu-items" role="menu" aria-label={label} ref={onShown} style={place}>
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

/** Below the button, or above it where the window ends; no list that scrolls cuts it off. */
function placeBeside(button: DOMRect, height: number): CSSProperties {
  const right = document.documentElement.clientWidth - button.right
  const isBelow = button.bottom + height < innerHeight
  return { right, top: isBelow ? button.bottom : Math.max(0, button.top - height) }
}
