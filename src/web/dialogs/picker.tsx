import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { isComposed } from '../../view/composer/keys.ts'
import { Dialog } from './dialog.tsx'

export interface PickerItem {
  id: string
  label: string
  /** Items of one group stand together, below its name. */
  group?: string
  hint?: string
  keys?: string
  /** Null: it is told of, but cannot be chosen. */
  act: (() => void) | null
}

interface PickerProps {
  title: string
  placeholder: string
  words: string
  onWords: (words: string) => void
  items: readonly PickerItem[]
  /** The words for when there are no items; empty while that is not known. */
  none?: string | undefined
  onClose: () => void
}

/** A field and a list: letters narrow it, arrows walk, Enter takes. */
export function Picker(props: PickerProps) {
  const { title, placeholder, words, onWords, items, none = 'Nothing found', onClose } = props
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const at = Math.min(chosen, Math.max(0, items.length - 1))
  useEffect(() => {
    const row = list.current?.querySelector('[aria-selected="true"]')
    // The first one shows the name of its group, too.
    if (at === 0) list.current?.scrollTo({ top: 0 })
    else row?.scrollIntoView({ block: 'nearest' })
  }, [at])

  function take(item: PickerItem | undefined): void {
    if (!item?.act) return
    onClose()
    item.act()
  }

  function onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && items.length > 0) {
      event.preventDefault()
      setChosen((at + step + items.length) % items.length)
    }
    if (event.key === 'Enter' && !isComposed(event.nativeEvent)) {
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
      <div id={id} ref={list} role="listbox" aria-label={title} className="picker-list">
        {groupsOf(items).map(({ name, from, members }) => (
          <div key={name} role={name === '' ? 'presentation' : 'group'} aria-label={name}>
            {name !== '' && (
              <div className="picker-group" aria-hidden="true">
                {name}
              </div>
            )}
            {members.map((item, index) => (
              <div
                key={item.id}
                id={`${id}-${from + index}`}
                role="option"
                aria-selected={from + index === at}
                aria-disabled={item.act === null}
                onPointerMove={() => setChosen(from + index)}
                onClick={() => take(item)}
              >
                <bdi className="picker-label">{item.label}</bdi>
                {item.hint !== undefined && <span className="picker-hint">{item.hint}</span>}
                {item.keys !== undefined && <kbd>{item.keys}</kbd>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {items.length === 0 && none !== '' && <p className="picker-none">{none}</p>}
    </Dialog>
  )
}

interface Group {
  name: string
  /** The place of its first item among all. */
  from: number
  members: PickerItem[]
}

function groupsOf(items: readonly PickerItem[]): readonly Group[] {
  const groups: Group[] = []
  for (const [from, item] of items.entries()) {
    const last = groups.at(-1)
    if (last?.name === (item.group ?? '')) last.members.push(item)
    else groups.push({ name: item.group ?? '', from, members: [item] })
  }
  return groups
}
