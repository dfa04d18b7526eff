import {
  useCallback,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { MoreIcon } from './icons.tsx'
import { useDismiss } from './focus.ts'

export interface MenuItem {
  label: string
  act: () => void
  isGrave?: boolean
  /** A sentence under it. */
  about?: string
  /** It is one of several of which one holds now. */
  isChosen?: boolean
}

interface MenuProps {
  label: string
  items: readonly MenuItem[]
  /** The words on its button; without them it is an icon. */
  words?: ReactNode
}

const offered = '[role^="menuitem"]'

/** A button and what it offers; arrows walk, Esc closes and gives the focus back. */
export function Menu({ label, items, words }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const [place, setPlace] = useState<CSSProperties>({})
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const offers = () => [...(box.current?.querySelectorAll<HTMLElement>(offered) ?? [])]
  useDismiss(box, isOpen, () => setOpen(false))
  const onShown = useCallback((list: HTMLDivElement | null) => {
    if (list === null || button.current === null) return
    setPlace(placeBeside(button.current.getBoundingClientRect(), list))
    const chosen = list.querySelector<HTMLElement>('[aria-checked="true"]')
    const first = chosen ?? list.querySelector<HTMLElement>(offered)
    first?.focus({ preventScroll: true })
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
        className={words === undefined ? 'icon-button quiet' : 'status-button'}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {words ?? <MoreIcon />}
      </button>
      {isOpen && (
        <div className="menu-items" role="menu" aria-label={label} ref={onShown} style={place}>
          {items.map((item) => (
            <button
              key={item.label}
              className={item.isGrave ? 'is-grave' : undefined}
              type="button"
              role={item.isChosen === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={item.isChosen}
              tabIndex={-1}
              onClick={() => {
                close()
                item.act()
              }}
            >
              {item.label}
              {item.about !== undefined && <small>{item.about}</small>}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** Below the button, or above it where the window ends; no list that scrolls cuts it off. */
function placeBeside(button: DOMRect, list: HTMLElement): CSSProperties {
  const { offsetHeight: height, offsetWidth: width } = list
  const room = document.documentElement.clientWidth - width
  const left = Math.max(0, Math.min(button.right - width, room))
  const isBelow = button.bottom + height < innerHeight
  return { left, top: isBelow ? button.bottom : Math.max(0, button.top - height) }
}
