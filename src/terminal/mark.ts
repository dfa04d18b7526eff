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
