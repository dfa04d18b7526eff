import type { Socket } from '../../client/socket.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { SessionId } from '../../protocol/seq.ts'
import { openXterm, type Xterm, type XtermOptions } from './open-xterm.ts'
import { onTyped } from './typed.ts'

export interface LiveOptions extends XtermOptions {
  socket: Socket
  session: SessionId
  /** Whether a person may type now; Ctrl+C always passes. */
  mayType: () => boolean
  /** What becomes of a key on its way. */
  translate: (data: string) => string
  /** A key was sent. */
  onHeard: () => void
  onRefused: (refusal: Refusal & { to: string }) => void
  onLive: (isLive: boolean) => void
  onSize: (size: { rows: number; cols: number }) => void
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

  /** Behind all that was written before it. */
  const resize = ({ rows, cols }: { rows: number; cols: number }) =>
    terminal.write('', () => {
      terminal.resize(cols, rows)
      options.onSize({ rows, cols })
    })

  const channel = socket.terminal({
    session,
    viewport: viewport(),
    onScreen(screen) {
      resize(screen)
      terminal.write(screen.data, () => channel.drawn(screen.offset))
    },
    onBytes: (bytes, end) => terminal.write(bytes, () => channel.drawn(end)),
    onSize: resize,
    onRefused: options.onRefused,
    onLive: options.onLive,
  })

  function type(data: string): void {
    if (!options.mayType() && data !== interruptKey) {
      const message = 'The model is typing here. Take over to type; Ctrl+C always works.'
      options.onRefused({ code: 'not_driver', message, to: 'input' })
    } else if (!channel.type(data)) {
      const message = 'Not connected: this key was not sent.'
      options.onRefused({ code: 'no_run', message, to: 'input' })
    } else options.onHeard()
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
