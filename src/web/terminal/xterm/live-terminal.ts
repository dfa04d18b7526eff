import { viewTerminal, type TerminalViewOptions } from '../../../client/session/terminal-view.ts'
import type { Socket } from '../../../client/socket/socket.ts'
import { openXterm, type Xterm, type XtermOptions, coreOf } from './open-xterm.ts'
import type { Terminal } from '@xterm/xterm'

type ViewOptions = Required<Pick<TerminalViewOptions, 'session' | 'onLive' | 'onSize'>>

interface LiveOptions extends XtermOptions, ViewOptions {
  socket: Socket
  /** Whether a person may type now; Ctrl+C always passes. */
  mayType: () => boolean
  /** Changes a key on its way. */
  translate: (data: string) => string
  /** The answer to a key that was refused; null when it was heard. */
  onRefused: (refused: string | null) => void
}

/** The session's terminal, drawn in a place of the page until it is closed. */
export interface LiveTerminal extends Xterm {
  type(data: string): void
  /** Starts a shell if there is none. */
  renew(): void
  close(): void
}

const interruptKey = '\x03'

/** Narrower windows pan; this is what the terminal has at least. */
const least = { rows: 24, cols: 80 }

export function openLiveTerminal(options: LiveOptions): LiveTerminal {
  const { socket, session, place } = options
  const xterm = openXterm(options)
  const { terminal } = xterm
  const viewport = () => ({ ...(xterm.room() ?? least), visible: !document.hidden })

  const channel = viewTerminal(socket, {
    session,
    viewport: viewport(),
    screen: terminal,
    onSize: options.onSize,
    onRefused: ({ message }) => options.onRefused(message),
    onLive: options.onLive,
  })

  function type(data: string): void {
    if (!options.mayType() && data !== interruptKey)
      options.onRefused('The model is typing here. Take over to type; Ctrl+C always works.')
    else options.onRefused(channel.type(data) ? null : 'Not connected: this key was not sent.')
  }

  onTyped(terminal, (data) => type(options.translate(data)))
  const stopWatching = watchRoom(place, () => channel.viewport(viewport()))
  return {
    ...xterm,
    type,
    renew: channel.renew,
    close() {
      stopWatching()
      channel.close()
      terminal.dispose()
    },
  }
}

/** Tells once a frame at most that the place has another size, or is looked at or not. */
function watchRoom(place: HTMLElement, changed: () => void): () => void {
  let frame = 0
  const soon = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(changed)
  }
  const observer = new ResizeObserver(soon)
  observer.observe(place)
  // A hidden page draws no frames, so this one does not wait for any.
  document.addEventListener('visibilitychange', changed)
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    document.removeEventListener('visibilitychange', changed)
  }
}

/** Reports that a program asked for when its window gets or loses the focus; no query has this answer. */
const focusReports = new Set(['\x1b[I', '\x1b[O'])

/**
 * Hears what a person types, and nothing that the emulator says by itself: questions of programs are
 * answered by the server's emulator, once, however many pages are open.
 */
function onTyped(terminal: Terminal, listen: (data: string) => void): void {
  let isPerson = false
  coreOf(terminal).coreService.onUserInput(() => {
    isPerson = true
  })
  terminal.onData((data) => {
    const isTyped = isPerson || focusReports.has(data)
    isPerson = false
    if (isTyped) listen(data)
  })
}
