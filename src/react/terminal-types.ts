/** The screen that the terminal is drawn on: a `Terminal` of xterm.js as it is, or anything with these. */
export interface TerminalScreen {
  readonly rows: number
  readonly cols: number
  reset(): void
  resize(cols: number, rows: number): void
  /** Calls back when it is drawn; the server sends no more than a screen can take. */
  write(data: string | Uint8Array, drawn: () => void): void
}

export interface TerminalOptions {
  /** As for a chat. */
  url: string
  token: string
  /** The session of the terminal; nothing is connected while it is null. */
  session: string | null
  /** Nothing is connected while it is null. */
  screen: TerminalScreen | null
}

/** The room there is to draw in. Only a screen that is looked at has a say in the terminal's size. */
export interface TerminalRoom {
  rows: number
  cols: number
  visible?: boolean
}

export interface TerminalState {
  /** Keys are heard while it is `live`. `outdated`: the server is of another version than the page. */
  link: 'connecting' | 'live' | 'reconnecting' | 'unauthorized' | 'outdated' | 'closed'
  /** Why the last key was not taken; null when it was. */
  refused: string | null
}

export interface TerminalActions {
  /** Keys for the program in the terminal. False: not sent, and not kept for later. */
  type(data: string): boolean
  resize(room: TerminalRoom): void
  /** Takes the keyboard from the model, or hands it back. */
  drive(driver: 'person' | 'model'): void
  /** Ctrl+C for the command that runs. */
  interrupt(): void
}

export interface Terminal extends TerminalState, TerminalActions {}
