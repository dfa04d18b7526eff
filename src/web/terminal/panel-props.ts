import type { Socket } from '../../client/socket.ts'
import type { Drive, Interrupt } from '../../protocol/intent.ts'
import type { SessionId } from '../../protocol/seq.ts'
import type { View } from '../../view/view.ts'
import type { ThemeName } from './palette.ts'

export interface TerminalActions {
  /** Ends the turn, and with it a run of the model's. */
  abort(): Promise<void>
  interrupt(signal: Interrupt['signal']): Promise<void>
  drive(driver: Drive['driver']): Promise<void>
  adopt(): Promise<void>
}

export interface TerminalPanelProps {
  session: SessionId
  socket: Socket
  actions: TerminalActions
  view: View
  theme: ThemeName
  /** The person left the terminal by its key: the focus belongs elsewhere now. */
  onLeave: () => void
}
