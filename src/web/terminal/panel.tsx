import { useRef, useState, useEffect } from 'react'
import type { ISearchOptions, SearchAddon } from '@xterm/addon-search'
import type { ThemeName } from './xterm/colours.ts'
import { sequenceOf, withCtrl, type BarKey } from './keys.ts'
import './terminal.css'
import { Toolbar } from './toolbar.tsx'
import { useLiveTerminal, type LiveState } from './use-live-terminal.ts'
import { useStop, useRestart } from './use-stop.ts'
import { isComposed } from '../../view/composer/keys.ts'
import type { View } from '../../view/fold/view.ts'
import { focusComposer } from '../parts/focus.ts'
import { withChat } from '../state/panels.ts'
import { theme as pageTheme } from '../state/settings.ts'
import { useStore } from '../state/use-store.ts'
import { terminalLine } from '../../view/words/terminal-line.ts'

export function Panel({ view }: { view: View }) {
  const theme = useStore(pageTheme)
  const place = useRef<HTMLDivElement>(null)
  const [isFinding, setFinding] = useState(false)
  const [isCtrl, setCtrl] = useState(false)
  const isDriven = view.terminal?.driver === 'model'
  const shown = useLiveTerminal(place, {
    theme,
    onLeave: () => withChat(focusComposer),
    mayType: !isDriven,
    translate(data) {
      setCtrl(false)
      return isCtrl ? withCtrl(data) : data
    },
    onFind: () => setFinding(true),
  })
  const stop = useStop(view)
  const { live } = shown
  const restart = useRestart(view, live)
  const type = () => live?.terminal.focus()
  function onBarKey(key: BarKey): void {
    if (live === null) return
    setCtrl(false)
    const isApplication = live.terminal.modes.applicationCursorKeysMode
    live.type(sequenceOf(key, { isCtrl, isApplication }))
  }
  return (
    <section
      className="terminal"
      aria-label="Terminal"
      data-theme={theme}
      data-driver={view.terminal?.driver ?? 'person'}
      data-screen={view.terminal?.screen ?? 'line'}
    >
      <Toolbar
        view={view}
        stop={stop}
        restart={restart}
        onFind={() => setFinding(true)}
        onType={type}
      />
      {isFinding && live && (
        <Find
          search={live.search}
          theme={theme}
          onClose={() => {
            setFinding(false)
            type()
          }}
        />
      )}
      <div className="terminal-frame">
        <div className="terminal-place" ref={place} />
      </div>
      <KeyBar isCtrl={isCtrl} onCtrl={() => setCtrl(!isCtrl)} onKey={onBarKey} onFocus={type} />
      <Notice view={view} shown={shown} stopped={stop.told} />
    </section>
  )
}

/** One line below the terminal: what matters most now. */
function Notice(props: { view: View; shown: LiveState; stopped: string | null }) {
  const { view, shown, stopped } = props
  const { live, ...sight } = shown
  const { kind, text } = terminalLine(view, { ...sight, room: live?.room() ?? null, stopped })
  return (
    <p className="terminal-notice" role="status" data-kind={kind}>
      {text !== '' && <span>{text}</span>}
      {kind === 'idle' && <span className="key-hint">F6 leaves the terminal</span>}
    </p>
  )
}

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
function KeyBar({ isCtrl, onCtrl, onKey, onFocus }: KeyBarProps) {
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
function Find({ search, theme, onClose }: FindProps) {
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
          if (isComposed(event.nativeEvent)) return
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
