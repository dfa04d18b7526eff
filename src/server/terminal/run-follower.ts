import type { HolderExit } from '../../protocol/holder.ts'
import type { Mark } from './read-mark.ts'
import type { StopStep } from './stop-ladder.ts'
import type { SendOptions, Sent, TerminalRunEnd } from './terminal.ts'

/** Who follows one run, and what that has to hear. */
export interface RunFollower {
  onMark: (mark: Mark) => void
  onData: (offset: number, bytes: Buffer) => void
  onExit: (exit: HolderExit) => void
  onUninjected: (reason: string) => void
  onLost: () => void
  /** The disk had no room for some of the output. */
  onRefused: () => void
  /** For a run an earlier server began: what it missed, up to `head`, at holder time `now`. */
  pickUp: (missed: { marks: readonly Mark[]; head: number; now: number }) => Promise<void>
  end: Promise<TerminalRunEnd>
  /** A person typed into the program. */
  onTyped: () => void
  /** Somebody wants it stopped, and this was done for it. */
  onStep: (step: StopStep) => void
  /** It may go on as long as it likes. */
  keep: () => void
  /** Types into the program, and tells what came of it. */
  send: (text: string | null, options: SendOptions) => Promise<Sent>
  /** The mark that ended it, for the acknowledgement. */
  lastSeq: () => number | null
  /** Its shell is at its prompt again, and not on the way to it. */
  isBack: () => boolean
  /** Its shell itself said that it has ended. */
  isHeard: () => boolean
}
