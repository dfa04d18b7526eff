import type { ProbeReason } from './effect.ts'
import type { Probe } from './idle.ts'
import type { Mark } from './mark.ts'
import type { RunOrder } from './run.ts'
import type { Foreground } from './needs.ts'
import type { Exit } from './state.ts'

/** What somebody wants of the terminal. */
export type Order =
  | { type: 'run'; run: RunOrder }
  /** Picks up a run that an earlier server began; `at` is the holder's clock when this server came. */
  | { type: 'resume'; run: RunOrder; at: number }
  /** A run's end is on disk. */
  | { type: 'settle'; id: string }
  /** A run is to end: Ctrl+C, then ever stronger means. */
  | { type: 'stop'; id: string }
  /** One Ctrl+C, and no more. */
  | { type: 'interrupt' }
  /** `int`: what ignores Ctrl+C is stopped by stronger means. */
  | { type: 'signal'; signal: 'int' | 'term' | 'kill' | 'restart' }
  /** Another shell reads in the place of the session's own. */
  | { type: 'replaced' }
  /** Somebody adopts it by hand. */
  | { type: 'adopt' }
  | { type: 'drive'; driver: 'person' | 'model' }
  /** The run may be silent as long as it likes. */
  | { type: 'keep' }
  /** The shell is ended for good, or goes on without us. */
  | { type: 'end'; how: 'closed' | 'left' }

/** Everything that the terminal's state follows from, with the time on this server's monotonic clock. */
export type Heard = { readonly now: number } & (
  | { readonly type: 'mark'; readonly mark: Mark }
  | { readonly type: 'data'; readonly head: number }
  | { readonly type: 'exit'; readonly exit: Exit }
  /** The holder is gone, or we left it. */
  | { readonly type: 'closed' }
  | {
      readonly type: 'uninjected'
      readonly id: string
      readonly reason: string
      /** The shell was asked for a prompt, and nothing came. */
      readonly isUnheard: boolean
      /** It is not at the stamp that the command was meant for. */
      readonly isMoved: boolean
      /** It was taken back before the shell had it: nothing is to be cleared away. */
      readonly isWithdrawn: boolean
    }
  /** A command waits for a shell that is at work, or stopped. */
  | { readonly type: 'late'; readonly id: string }
  /** How an adoption by itself went; null: well. */
  | { readonly type: 'adopted'; readonly error: string | null }
  | { readonly type: 'worked'; readonly run: string; readonly hasWorked: boolean }
  | {
      readonly type: 'probed'
      readonly level: number
      readonly why: ProbeReason
      readonly probe: Probe | null
    }
  | { readonly type: 'foreground'; readonly run: string; readonly foreground: Foreground }
  | { readonly type: 'key'; readonly keys: string }
  | { readonly type: 'order'; readonly order: Order }
  /** All that was said before this server came has been heard. */
  | { readonly type: 'caught-up' }
  | { readonly type: 'time' }
)
