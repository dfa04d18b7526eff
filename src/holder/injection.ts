import type { InjectionKeys, Uninjected } from '../protocol/holder.ts'
import type { KeysMode } from './keys.ts'
import type { Reads } from './reads-terminal.ts'
import type { Load, WayIn } from './way-in.ts'

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

export interface InjectorOptions {
  way: WayIn
  keys: InjectionKeys
  /** Its line editor takes pastes in brackets without saying so at each prompt. */
  alwaysBrackets: boolean
  shellPid: number
  /** Whether the shell waits for keys now. */
  reads: () => Reads
  /** The last mark after which a command may run elsewhere, and where the shell was then. */
  place: () => { stamp: number; cwd: string }
  write: (bytes: Buffer) => void
  /** The shell does not read: the command waits for it. */
  onLate: (id: string) => void
  /** The keys of a command that was taken back are dealt with: what a person types may follow. */
  onSettled: () => void
  onUninjected: (uninjected: Uninjected) => void
  /** A command is in the line without the shell's saying so: said in its place. */
  onPasted: (id: string, attempt: number) => void
}

export interface Injector {
  inject: (injection: Injection) => void
  onMark: (kind: string, fields: readonly string[]) => void
  onText: (bytes: Buffer) => void
  /** Of a load that is not the one waited for: of an earlier attempt, a second time, or of what was taken back. */
  isStale: (kind: string, fields: readonly string[]) => boolean
  /** A mark's fields; of a pasted command, which the shell knows no name of, with its name. */
  named: (kind: string, fields: string[]) => string[]
  /** From its loading to its execution: prompts drawn meanwhile are no news. */
  isEntering: () => boolean
  /** The run whose command is not yet accepted. */
  injecting: () => string | null
  /** The command is not wanted any more; if it is not accepted yet, it never will be. */
  withdraw: (id: string) => void
  /** What is to happen to keys that a person types now. */
  keysMode: () => KeysMode
  /** The shell is gone: nothing more is typed for it. */
  leave: () => void
}

export type Phase =
  | { at: 'idle' }
  | { at: 'loading'; id: string; timer: NodeJS.Timeout }
  // The line editor was in some mode of its own; it is asked for a new line, and then once more. One
  // that does not know our keys gets the command as a paste.
  | { at: 'clearing'; id: string; timer: NodeJS.Timeout; next: Next; isBracketed: boolean }
  | { at: 'pasting'; id: string; timer: NodeJS.Timeout; isBracketed: boolean }
  | { at: 'accepted'; restore: boolean; stage: Stage; pasted: string | null }

/** Of an accepted line: it is the shell's, it is unfinished, it is executed, or that is over. */
export type Stage = 'handed' | 'more' | 'runs' | 'over'

export type Next = 'load' | 'paste'

export interface Pending extends Load {
  stamp: number | null
  /** Whoever waits knows that the shell does not read. */
  isLate: boolean
}

export const nothing: Pending = {
  id: '',
  who: 'person',
  line: Buffer.alloc(0),
  attempt: 0,
  stamp: null,
  isLate: false,
}

/** Why a command that was allowed for one state of the shell is not entered in another. */
export const moved = { reason: 'the shell is not as it was when this was allowed', isMoved: true }
