import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { useStore } from '../state/use-store.ts'
import { ownKey } from './keys.ts'
import { openLiveTerminal, type LiveTerminal } from './xterm/live-terminal.ts'
import { options } from './options.ts'
import type { TerminalSight } from '../../view/words/terminal-line.ts'
import { palettes, type ThemeName } from './xterm/colours.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'

export type LiveState = Omit<TerminalSight, 'room' | 'stopped'> & { live: LiveTerminal | null }

interface Wishes {
  theme: ThemeName
  /** The person left the terminal by its key: the focus belongs elsewhere now. */
  onLeave: () => void
  mayType: boolean
  /** Changes a key on its way, as when Ctrl is held on the key bar. */
  translate: (data: string) => string
  onFind: () => void
}

const nothing: LiveState = { live: null, isLive: false, size: null, refused: null, link: null }

/** The terminal in its place, from when the place is there until it goes. */
export function useLiveTerminal(place: RefObject<HTMLElement | null>, wishes: Wishes): LiveState {
  const { theme, mayType } = wishes
  const { socket } = usePage()
  const { id: session } = useSession()
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
      onRefused: (refused) =>
        setState((was) => (was.refused === refused ? was : { ...was, refused })),
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

  // A refusal from before no longer holds.
  useEffect(() => setState((was) => ({ ...was, refused: null })), [mayType])
  useEffect(() => {
    if (state.live) state.live.terminal.options.theme = palettes[theme]
  }, [state.live, theme])
  return state
}

/** Only ever what a person selected and asked for; output itself cannot reach the clipboard. */
function copyText(text: string): void {
  if (text !== '') navigator.clipboard?.writeText(text).catch(() => undefined)
}
