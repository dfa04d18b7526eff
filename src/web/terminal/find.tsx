import type { ISearchOptions, SearchAddon } from '@xterm/addon-search'
import { useEffect, useRef, useState } from 'react'
import type { ThemeName } from './xterm/colours.ts'

/** Matches stand out; a selection alone would not. */
const marks = (matchBackground: string): ISearchOptions => ({
  decorations: {
    matchBackground,
    matchOverviewRuler: '#b8942a',
    activeMatchBackground: '#b3541e',
    // Its ground is that of the selection, which it is as well.
    activeMatchBorder: '#e8763a',
    activeMatchColorOverviewRuler: '#b3541e',
  },
})
const markedIn = { dark: marks('#6b5a1e'), light: marks('#f1dc9b') } as const

interface FindProps {
  search: SearchAddon
  theme: ThemeName
  onClose: () => void
}

/** Finds text on the screen and in what has scrolled off it. */
export function Find({ search, theme, onClose }: FindProps) {
  const marked = markedIn[theme]
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
