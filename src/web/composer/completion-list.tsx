import { useEffect, useRef } from 'react'
import type { CompletionItem } from '../../protocol/http/completion.ts'

export const completionId = 'completions'

interface CompletionListProps {
  items: readonly CompletionItem[]
  /** -1 while none was chosen. */
  chosen: number
  onPick: (item: CompletionItem) => void
}

export function CompletionList({ items, chosen, onPick }: CompletionListProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <ul
      className="completion"
      id={completionId}
      ref={list}
      role="listbox"
      aria-label="Completions"
      tabIndex={0}
    >
      {items.map((item, at) => (
        <li
          key={`${item.kind} ${item.label}`}
          id={`${completionId}-${at}`}
          role="option"
          aria-selected={at === Math.max(0, chosen)}
          // The composer keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(item)}
        >
          <bdi className="completion-label">{item.label}</bdi>
          {item.detail !== undefined && <span className="completion-detail">{item.detail}</span>}
          <span className="completion-kind">{item.kind}</span>
        </li>
      ))}
    </ul>
  )
}
