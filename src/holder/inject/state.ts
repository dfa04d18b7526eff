import type { Uninjected } from '../../protocol/holder/holder.ts'
import type { Reads } from '../process/reads-terminal.ts'

/** The last mark after which a command may run elsewhere, and the folder of the shell then. */
export interface Place {
  stamp: number
  cwd: string
}

/** A command that a server wants to be run. */
export interface Injection {
  id: string
  /** For the model: an environment without pagers. */
  model: boolean
  /** Too long for a line editor: it is sourced from a file. */
  asFile: boolean
  /** Nothing of it may stay behind. */
  private: boolean
  /** The mark after which it was allowed; null: it is a person's, and goes wherever the shell is. */
  stamp: number | null
  command: Buffer
}

/** A command as the shell gets it. */
export interface Load {
  id: string
  who: 'model' | 'private' | 'person'
  command: Buffer
  asFile: boolean
  /** Counts the load keys: only the answer to the last one is acted on. */
  attempt: number
}

/** The time of the next look at the shell, and whether it read at the last one. */
export interface Check {
  at: number
  hasRead: boolean
}

export type Phase =
  // With a check while load keys of a command that was taken back are unanswered.
  | { at: 'idle'; check: Check | null }
  | { at: 'loading'; id: string; check: Check; next: Next }
  // The line editor was in some mode of its own; it is asked for a new line, and then once more. One
  // that does not know our keys gets the command as a paste.
  | { at: 'clearing'; id: string; check: Check; next: Next; isBracketed: boolean }
  | { at: 'pasting'; id: string; check: Check; isBracketed: boolean }
  | {
      at: 'accepted'
      check: Check | null
      restore: boolean
      stage: Stage
      pasted: string | null
    }

/**
 * Keys of a command that a shell inside left unread. The shell around has not spoken yet, is about to read them, has
 * them in its line, or was asked for a new one.
 */
export interface Litter {
  at: 'unread' | 'coming' | 'standing' | 'leaving'
  check: Check
}

/** An accepted line is the shell's, is unfinished, is executed, or its execution is over. */
export type Stage = 'handed' | 'more' | 'runs' | 'over'

export type Next = 'load' | 'paste'

/** One shell, and the command on its way into it. */
export interface InjectionState {
  phase: Phase
  pending: Load & { stamp: number | null; isLate: boolean }
  /** Load keys without an answer: keys typed behind one would end up in the command's line. */
  unanswered: number
  /** A command that was given up stands in the line. */
  isStray: boolean
  litter: Litter | null
  /** The shell executes a line that was typed: a command on its way in is behind it. */
  isBehind: boolean
  /** The place as of the last mark. */
  place: Place
  /** Facts about the shell that marks taught us; `name` is the command's name as the shell knows it. */
  known: { isDeaf: boolean; saysStart: boolean; saysEnd: boolean; name: string }
  shell: InjectedShell
}

/** Facts about the shell that never change. */
export interface InjectedShell {
  pid: number
  /** Its line editor takes pastes in brackets without saying so at each prompt. */
  alwaysBrackets: boolean
  /** A command can be sourced from a file there. */
  takesFiles: boolean
  /** How much longer than a shell of ours it may take to answer. */
  patience: number
}

export type Heard =
  | { type: 'order'; injection: Injection; place: Place; now: number }
  | { type: 'mark'; kind: string; fields: readonly string[]; place: Place; now: number }
  | { type: 'text'; bytes: Buffer }
  | { type: 'time'; now: number }
  /** The answer to `look`: whether the shell waits for keys now. */
  | { type: 'looked'; reads: Reads; now: number }
  /** The command is not wanted any more; if it is not accepted yet, it never will be. */
  | { type: 'withdraw'; id: string; now: number }
  /** The shell is gone: nothing more is typed for it. */
  | { type: 'left'; now: number }
  /** The shell inside it is gone, and has not read the keys of a command: this one will. */
  | { type: 'littered'; now: number }

/** Something that the edge does, in the order of the list. */
export type Effect =
  | { type: 'load'; load: Load }
  | { type: 'press'; key: 'accept' | 'restore' | 'fresh' | 'interrupt' }
  | { type: 'paste'; command: Buffer; isSourced: boolean; isBracketed: boolean }
  | { type: 'look' }
  /** The shell has read the command, or must not: nobody else should. */
  | { type: 'scrub' }
  /** Nothing of a private command may stay behind. */
  | { type: 'forget' }
  | { type: 'tell'; told: Told }

export interface Step {
  state: InjectionState
  effects: readonly Effect[]
}

/** News for those who wait for a command, or have keys for the shell. */
export type Told =
  | { type: 'uninjected'; uninjected: Uninjected }
  /** The shell does not read: the command waits for it. */
  | { type: 'late'; id: string }
  /** A command is in the line without the shell's saying so: said in its place. */
  | { type: 'pasted'; id: string; attempt: number }
  /** The keys of a command that was taken back are dealt with: a person's keys may follow. */
  | { type: 'settled' }

const nothing = { id: '', who: 'person', command: Buffer.alloc(0), asFile: false } as const

export function startInjection(shell: InjectedShell): InjectionState {
  return {
    phase: { at: 'idle', check: null },
    pending: { ...nothing, attempt: 0, stamp: null, isLate: false },
    unanswered: 0,
    isStray: false,
    litter: null,
    isBehind: false,
    place: { stamp: 0, cwd: '' },
    known: { isDeaf: false, saysStart: false, saysEnd: false, name: '' },
    shell,
  }
}
