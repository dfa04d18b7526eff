import type { Integration, ShellName } from '../protocol/shell.ts'
import type { Idle } from './idle.ts'
import type { Climb, Press } from './press.ts'
import type { Run } from './run.ts'
import type { Track } from './track.ts'
import type { Typing } from './typing.ts'

/**
 * - `starting`: no prompt yet
 * - `prompt`: the line editor reads
 * - `running`: a command runs
 * - `returning`: it has ended, and the prompt is not there yet
 * - `answered`: the same, and whoever ordered the command knows its end
 */
export type ShellPhase = 'starting' | 'prompt' | 'running' | 'returning' | 'answered'

/** One of the shells that are inside each other, and what goes on in it. */
export interface Shell {
  readonly level: number
  readonly pid: number
  readonly name: ShellName
  readonly phase: ShellPhase
  readonly integration: Integration
  /** Asked for a prompt, it said nothing: whatever its integration is worth, it is not heard now. */
  readonly isUnheard: boolean
  /** The last run ended without a word of the shell: it may have become another program. */
  readonly isMute: boolean
  readonly cwd: string | null
  /** Whose it is and on which machine; empty for one that we started. */
  readonly place: string
  /** Where it spoke first, in the byte log. */
  readonly ptyAt: number
  /** It was adopted: no file of ours is there, so commands come by keys alone. */
  readonly isByKeys: boolean
  /** The kernel of this machine sees what runs in it. */
  readonly isSeen: boolean
  /** The log knows that it was adopted. */
  readonly isTold: boolean
  readonly run: Run | null
  /** The last command that was loaded, whether or not anybody here ordered it. */
  readonly track: Track | null
  /** The last run that ended here, until its end is on disk. */
  readonly last: { id: string; seq: number | null } | null
  readonly typing: Typing
  readonly press: Press | null
  readonly climb: Climb | null
  /** What took its place by `exec` is being adopted, or could not be. */
  readonly replaced: Replacement | null
  /** Something was typed that may become another shell: looks whether that reads. */
  readonly execs: Idle | null
  /** It has said once that output starts: one that says nothing then did not begin. */
  readonly saysStart: boolean
}

/** The same process of the same user became another shell, which is adopted without being asked. */
export type Replacement =
  | { readonly phase: 'adopting' }
  | { readonly phase: 'failed'; readonly why: string }

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  /** On the holder's clock. */
  readonly time: number
}

/** The shell behind one holder, as all who need it see it. */
export interface TerminalState {
  readonly generation: number
  /** Never empty: the session's own shell first, the innermost last. */
  readonly shells: readonly [Shell, ...Shell[]]
  /** The end of the clean stream as far as it was heard. */
  readonly head: number
  /**
   * The last mark after which a command may run elsewhere, or in another state: a yes counts only for the
   * stamp it was given at.
   */
  readonly stamp: number
  /** A command that the holder was entering when this server came. */
  readonly entering: string | null
  /** Shells that have left with a command whose end nobody asked for yet. */
  readonly gone: readonly { shell: Shell; exit: Exit }[]
  readonly exit: Exit | null
  /** Why the shell ends, where we are the reason; `left`: it goes on without us. */
  readonly ending: 'restarted' | 'closed' | 'left' | null
  /** The session knows that the shell has ended. */
  readonly isEndTold: boolean
}
