import type {
  Adopted,
  AdoptRequest,
  Checkpoint,
  HolderExit,
  Kept,
  Late,
  MoveRequest,
  Probed,
  Quiet,
  Uninjected,
} from '../../../protocol/holder/holder.ts'
import type { Mark } from '../../../terminal/incoming.ts'

/** Everything that a holder says without being asked. */
export interface HolderEvents {
  onData: (offset: number, bytes: Buffer) => void
  onMark: (mark: Mark) => void
  onExit: (exit: HolderExit) => void
  onKept: (kept: Kept) => void
  onUninjected: (uninjected: Uninjected) => void
  /** A command waits for its shell, which is at work or stopped. */
  onLate?: (late: Late) => void
  /** The holder answers no terminal queries from here on. */
  onQuiet?: (quiet: Quiet) => void
  /** The holder is gone, or we left. */
  onClose: () => void
}

/** Everything that can be said to a holder. */
export interface HolderClient {
  input: (bytes: Buffer) => void
  inject: (injection: {
    id: string
    command: Buffer
    model: boolean
    asFile: boolean
    private: boolean
    /** The mark after which it was allowed: after another one it is not entered. Null: always. */
    stamp: number | null
    /** The shell that it is for; if that is not the innermost any more, it is not entered. */
    level: number
  }) => void
  /** Takes a command back that its shell has not taken yet; then it is reported as not injected. */
  withdraw: (id: string) => void
  /** Teaches the shell that reads now to speak to the holder. */
  adopt: (request: AdoptRequest) => Promise<Adopted>
  resize: (size: { rows: number; cols: number }) => void
  /** Has the holder answer terminal queries, or not; `onQuiet` says from where on it does not. */
  answering: (on: boolean) => void
  /** The emulator's answer to the queries before this offset, if there is one. */
  answer: (offset: number, bytes: Buffer) => void
  /** A screen for the next server; the holder keeps the last one. */
  checkpoint: (checkpoint: Checkpoint) => void
  /** Lets the holder drop the byte log before this offset. */
  forget: (before: number) => void
  signal: (target: 'foreground' | 'session', signal: number) => void
  acknowledge: (seq: number, level: number) => void
  /** Resolves with true when all output so far is in the byte log's files; false: the holder does not answer. */
  sync: () => Promise<boolean>
  /** Asks the kernel about a shell inside the session's own, or about that; null when nobody can tell. */
  probe: (pid?: number) => Promise<Probed | null>
  /** The names that the shell knows, as it wrote them down; empty when it is busy. */
  names: () => Promise<Buffer>
  /** The shell's state as records; without a question the first it had. Empty when it is busy, or does not say. */
  state: (question: Uint8Array) => Promise<Buffer>
  /** Moves the holder to another session's folder, where it writes its log from now on; false when it does not. */
  move: (request: MoveRequest) => Promise<boolean>
  /** Ends the shell, everything it started, and the holder. */
  end: () => void
  disconnect: () => void
}
