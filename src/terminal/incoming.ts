import type { Foreground } from './shell/needs.ts'
import type { RunOrder } from './shell/run.ts'
import type { Exit } from './state.ts'

/** An order: somebody wants something of the terminal. */
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
  /** `int`: a program that ignores Ctrl+C is stopped by stronger means. */
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

/** The question to the kernel: is the shell at its prompt, what is in front before and after Ctrl+C, is it still. */
export type ProbeReason = 'idle' | 'exec' | 'press' | 'pressed' | 'climb'

/** The kernel's answer about a shell. */
export interface Probe {
  /** The shell itself has the terminal and waits in its line editor, without a time limit. */
  readonly isAtPrompt: boolean
  /** It reads the terminal in some way, as zsh and fish do at their prompts and in their own `read`. */
  readonly isReading: boolean
  /** The kind of program that `exec` made of it. */
  readonly replaced: 'shell' | 'program' | null
  /** The terminal's foreground process group. */
  readonly foreground: number
  /** That group's leader handles or ignores SIGINT; null when there is no leader. */
  readonly minds: boolean | null
  /** Signal keys are off in the terminal. Looked at, as are the next two, only after a Ctrl+C. */
  readonly keysOff: boolean
  /** The program takes single keys, or waits for a line. */
  readonly takesKeys: boolean
  /** The group's leader ignores SIGINT. */
  readonly ignores: boolean
}

/** Everything that the terminal's state follows from, with the time on this server's monotonic clock. */
export type Incoming = { readonly now: number } & (
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
  /** An adoption by itself is over; null: it went well. */
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
  /** Everything from before this server came has been heard. */
  | { readonly type: 'caught-up' }
  | { readonly type: 'time' }
)

/** The time, the stream's end and the stamp at which something is heard. */
export interface Moment {
  readonly now: number
  readonly head: number
  readonly stamp: number
}

/** A position in the output of the shell. */
export interface Position {
  seq: number
  offset: number
  /** Milliseconds on the holder's monotonic clock. */
  time: number
}

/** A line that a person typed, as the shell tells it. */
export interface TypedText {
  /** Its beginning, if it is very long; empty if the shell does not say. */
  text: string
  /** The number of characters, or of bytes where the shell counts those. */
  length: number
  /** Its number in the history; null where the text is this line's for certain. */
  line: number | null
  /** The terminal showed the same text since the prompt. */
  isShown: boolean
}

/** A word of the shell, and its position in the output. */
export type Mark = Position & {
  /** The shell that said it: 0 is the session's own, 1 one that was adopted inside it, and so on. */
  level: number
} & (
    | { kind: 'prompt-start' }
    // `line`: the number that the next line will have in the history.
    | { kind: 'prompt'; code: number | null; pid: number; line: number | null }
    // `closed`: the shell itself breaks the unfinished input off.
    | { kind: 'continuation'; closed: boolean }
    // `restores`: another line is put back after it, or it is itself taken out of the line.
    // `cwd`: where the shell is now; null if it does not say.
    | { kind: 'loaded'; id: string; restores: boolean; attempt: number; cwd: string | null }
    // `typed`: nobody gave the shell this command by key; null for those that were.
    | { kind: 'output-start'; typed: TypedText | null }
    | { kind: 'output-end'; code: number | null; pid: number; id: string; cwd: string | null }
    // `place` says whose an adopted shell is and where; `isAway`: out of this kernel's sight.
    | {
        kind: 'integrated'
        shell: string
        version: string
        pid: number
        place: string
        isAway: boolean
      }
    // The holder says that the shell of this level is gone.
    | { kind: 'left' }
  )
