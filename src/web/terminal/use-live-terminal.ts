import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { useStore } from '../state/store.ts'
import { copyText } from './copy-text.ts'
import { ownKey } from './keys.ts'
import { openLiveTerminal, type LiveTerminal } from './live-terminal.ts'
import { options } from './options.ts'
import { palettes } from './palette.ts'
import type { TerminalPanelProps } from './panel-props.ts'

export interface LiveState {
  live: LiveTerminal | null
  isLive: boolean
  size: { rows: number; cols: number } | null
  /** What a key that was refused got as an answer; null when the last one was heard. */
  refused: string | null
  link: string | null
}

interface Wishes extends Pick<TerminalPanelProps, 'session' | 'socket' | 'theme' | 'onLeave'> {
  mayType: boolean
  /** What becomes of a key on its way, as when Ctrl is held on the key bar. */
  translate: (data: string) => string
  onFind: () => void
}

const nothing: LiveState = { live: null, isLive: false, size: null, refused: null, link: null }

/** The terminal in its place, from when the place is there until it goes. */
export function useLiveTerminal(place: RefObject<HTMLElement | null>, wishes: Wishes): LiveState {
  const { session, socket, theme, mayType } = wishes
  const { isSpoken } = useStore(options)
  const [state, setState] = useState(nothing)
  const isOpen = useRef(mayType)
  isOpen.current = mayType
  const translate = useEffectEvent((data: string) => wishes.translate(data))
  const onOwnKey = useEffectEvent((key: ReturnType<typeof ownKey>, live: LiveTerminal) => {
    if (key === 'leave') wishes.onLeave()
    if (key === 'find') wishes.onFind()
    if (key === 'copy') copyText(live.terminal.getSelection())
  })
  const firstTheme = useEffectEvent(() => theme)

  useEffect(() => {
    if (place.current === null) return undefined
    const change = (changes: Partial<LiveState>) => setState((was) => ({ ...was, ...changes }))
    const live = openLiveTerminal({
      place: place.current,
      session,
      socket,
      theme: firstTheme(),
      isSpoken,
      mayType: () => isOpen.current,
      translate,
      onRefused: ({ message }) => change({ refused: message }),
      onHeard: () => setState((was) => (was.refused === null ? was : { ...was, refused: null })),
      onLive: (isLive) => change({ isLive, refused: null }),
      onSize: (size) => change({ size }),
      onLinkHover: (link) => change({ link }),
    })
    const { terminal } = live
    terminal.attachCustomKeyEventHandler((event) => {
      const key = event.type === 'keydown' ? ownKey(event) : null
      if (key === null) return true
      // The browser itself pastes; it alone may read the clipboard.
      if (key !== 'paste') event.preventDefault()
      event.stopPropagation()
      onOwnKey(key, live)
      return false
    })
    terminal.onSelectionChange(() => {
      if (options.get().copiesSelection) copyText(terminal.getSelection())
    })
    change({ live })
    return () => {
      live.close()
      setState(nothing)
    }
  }, [place, session, socket, isSpoken])

  // What was refused before is not any more.
  useEffect(() => setState((was) => ({ ...was, refused: null })), [mayType])
  useEffect(() => {
    if (state.live) state.live.terminal.options.theme = palettes[theme]
  }, [state.live, theme])
  return state
}
