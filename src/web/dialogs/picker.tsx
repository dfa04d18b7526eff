import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { Dialog } from './dialog.tsx'

export interface PickerItem {
  id: string
  label: string
  hint?: string
  keys?: string
  act: () => void
}

interface PickerProps {
  title: string
  placeholder: string
  words: string
  onWords: (words: string) => void
  items: readonly PickerItem[]
  onClose: () => void
}

/** A field and a list: letters narrow it, arrows walk, Enter takes. */
export function Picker({ title, placeholder, words, onWords, items, onClose }: PickerProps) {
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const at = Math.min(chosen, Math.max(0, items.length - 1))
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at])

  function take(item: PickerItem | undefined): void {
    if (!item) return
    onClose()
    item.act()
  }

  function onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && items.length > 0) {
      event.preventDefault()
      setChosen((at + step + items.length) % items.length)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      take(items[at])
    }
  }

  return (
    <Dialog title={title} className="picker" onClose={onClose}>
      <input
        className="picker-field"
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={items.length > 0 ? `${id}-${at}` : undefined}
        aria-label={title}
        placeholder={placeholder}
        value={words}
        spellCheck={false}
        onChange={(event) => {
          setChosen(0)
          onWords(event.target.value)
        }}
        onKeyDown={onKey}
      />
      <ul id={id} ref={list} role="listbox" aria-label={title} className="picker-list">
        {items.map((item, index) => (
          <li
            key={item.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onPointerMove={() => setChosen(index)}
            onClick={() => take(item)}
          >
            <bdi className="picker-label">{item.label}</bdi>
            {item.hint !== undefined && <span className="picker-hint">{item.hint}</span>}
            {item.keys !== undefined && <kbd>{item.keys}</kbd>}
          </li>
        ))}
      </ul>
      {items.length === 0 && <p className="picker-none">Nothing found</p>}
    </Dialog>
  )
}
