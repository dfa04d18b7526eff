import type { Integration, ShellName } from '../protocol/events/shell.ts'
import type { HolderExit } from '../protocol/holder/holder.ts'
import type { Run } from './shell/run.ts'
import type { Track } from './shell/track.ts'
import type { Typing } from './shell/typing.ts'
import type { Idle } from './time/deadlines.ts'
import type { Press } from './time/press.ts'
import type { Climb } from './time/stop.ts'

/**
 * - `starting`: no prompt yet
 * - `prompt`: the line editor reads
 * - `running`: a command runs
 * - `returning`: it has ended, and the prompt is not there yet
 * - `answered`: the same, and whoever ordered the command knows its end
 */
export type ShellPhase = 'starting' | 'prompt' | 'running' | 'returning' | 'answered'

/** A shell, one of those inside each other, and what goes on in it. */
export interface Shell extends ShellIdentity, ShellLine, ShellWatches {
  readonly phase: ShellPhase
  readonly cwd: string | null
  /** It said nothing when asked for a prompt: whatever its integration is worth, it is not heard now. */
  readonly isUnheard: boolean
  /** The last run ended without a word of the shell: it may have become another program. */
  readonly isMute: boolean
  readonly run: Run | null
  /** The last command that was loaded, whether or not anybody here ordered it. */
  readonly track: Track | null
  /** The last run that ended here, until its end is on disk. */
  readonly last: { id: string; seq: number | null } | null
}

/** The shell itself, whatever goes on in it. */
interface ShellIdentity {
  readonly level: number
  readonly pid: number
  readonly name: ShellName
  readonly integration: Integration
  /** It has said once that output starts: one that says nothing then did not begin. */
  readonly saysStart: boolean
  /** Its user and machine, if it was adopted; empty for one that we started. */
  readonly place: string
  /** The offset in the byte log at which it spoke first. */
  readonly ptyAt: number
  /** It was adopted: no file of ours is there, so commands come by keys alone. */
  readonly isByKeys: boolean
  /** The kernel of this machine sees what runs in it. */
  readonly isSeen: boolean
  /** The log knows that it was adopted. */
  readonly isReported: boolean
}

/** Its command line: typed by a person, or brought in. */
interface ShellLine {
  readonly typing: Typing
  /** The line that runs, or is about to, was brought in. */
  readonly isInjected: boolean
  /** The number that the next line will have in the history. */
  readonly nextLine: number | null
}

/** The looks that are under way, besides those of the run. */
interface ShellWatches {
  readonly press: Press | null
  readonly climb: Climb | null
  /** The shell that took its place by `exec` is being adopted, or could not be. */
  readonly replaced: Replacement | null
  /** Something was typed that may become another shell: looks whether that reads. */
  readonly execs: Idle | null
}

/** The same process of the same user became another shell, which is adopted without being asked. */
export type Replacement =
  | { readonly phase: 'adopting' }
  | { readonly phase: 'failed'; readonly why: string }

/** Its time is on the holder's clock. */
export type Exit = Readonly<HolderExit>

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
  /** The reason why the shell ends, if it is ours; `left`: it goes on without us. */
  readonly ending: 'restarted' | 'closed' | 'left' | null
  /** The session knows that the shell has ended. */
  readonly isEndReported: boolean
}

export function newShell(
  at: Pick<Shell, 'level' | 'pid' | 'ptyAt' | 'isByKeys' | 'isSeen'>,
): Shell {
  return {
    ...at,
    name: 'bash',
    phase: 'starting',
    integration: 'none',
    isUnheard: false,
    isMute: false,
    cwd: null,
    place: '',
    isReported: true,
    run: null,
    track: null,
    last: null,
    typing: { open: null, isUnsure: false },
    isInjected: false,
    nextLine: null,
    press: null,
    climb: null,
    replaced: null,
    execs: null,
    saysStart: false,
  }
}

/** A terminal as its holder is found, before anything was heard. */
export function startTerminal(found: {
  generation: number
  shellPid: number
  head: number
  entering: string | null
}): TerminalState {
  const base = newShell({ level: 0, pid: found.shellPid, ptyAt: 0, isByKeys: false, isSeen: true })
  return {
    generation: found.generation,
    shells: [base],
    head: found.head,
    stamp: 0,
    entering: found.entering,
    gone: [],
    exit: null,
    ending: null,
    isEndReported: false,
  }
}
