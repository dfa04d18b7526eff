import type { ISearchOptions, SearchAddon } from '@xterm/addon-search'
import { useEffect, useRef, useState } from 'react'

/** What is found stands out in both themes; a selection alone would not. */
const marked: ISearchOptions = {
  decorations: {
    matchBackground: '#6b5a1e',
    matchOverviewRuler: '#b8942a',
    activeMatchBackground: '#b3541e',
    activeMatchColorOverviewRuler: '#b3541e',
  },
}

/** Finds text on the screen and in what has scrolled off it. */
export function Find({ search, onClose }: { search: SearchAddon; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isFound, setFound] = useState<boolean | null>(null)
  useEffect(() => {
    field.current?.focus()
    return () => search.clearDecorations()
  }, [search])
  const next = () => setFound(text === '' ? null : search.findNext(text, marked))
  const previous = () => setFound(text === '' ? null : search.findPrevious(text, marked))
  return (
    <search className="terminal-find">
      <input
        ref={field}
        value={text}
        aria-label="Find in the terminal"
        placeholder="Find"
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value)
          setFound(
            event.target.value === ''
              ? null
              : search.findPrevious(event.target.value, { ...marked, incremental: true }),
          )
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
          if (event.key === 'Enter') (event.shiftKey ? next : previous)()
        }}
      />
      <span role="status">{isFound === false ? 'Not found' : ''}</span>
      <button type="button" aria-label="Previous match" onClick={previous}>
        ↑
      </button>
      <button type="button" aria-label="Next match" onClick={next}>
        ↓
      </button>
      <button type="button" aria-label="Close" onClick={onClose}>
        ×
      </button>
    </search>
  )
}
