import type { Socket } from '../socket/socket.ts'
import type { TerminalChannel, TerminalOptions } from '../socket/terminal-channel.ts'

/** An emulator, as far as bytes go. */
export interface Screen {
  resize(cols: number, rows: number): void
  /** Calls back when it is drawn; the server sends no more than a screen can take. */
  write(data: string | Uint8Array, drawn: () => void): void
}

export type TerminalViewOptions = Omit<TerminalOptions, 'onScreen' | 'onBytes' | 'onSize'> & {
  screen: Screen
  /** The screen has this size from here on. */
  onSize?: (size: { rows: number; cols: number }) => void
  /** Before a whole screen is drawn. */
  onScreen?: () => void
}

/** The one place where a session's bytes meet an emulator: in order, each drawn before it is acknowledged. */
export function viewTerminal(
  socket: Pick<Socket, 'terminal'>,
  { screen, onSize, onScreen, ...options }: TerminalViewOptions,
): TerminalChannel {
  /** Behind all that was written before it. */
  const behind = (change: () => void) => screen.write('', change)
  const resize = ({ rows, cols }: { rows: number; cols: number }) =>
    behind(() => {
      screen.resize(cols, rows)
      onSize?.({ rows, cols })
    })
  const channel = socket.terminal({
    ...options,
    onScreen(frame) {
      if (onScreen) behind(onScreen)
      resize(frame)
      screen.write(frame.data, () => channel.drawn(frame.offset))
    },
    onBytes: (bytes, end) => screen.write(bytes, () => channel.drawn(end)),
    onSize: resize,
  })
  return channel
}
