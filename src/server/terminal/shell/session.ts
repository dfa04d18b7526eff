import type { MoveRequest } from '../../../protocol/holder/holder.ts'
import type { ShellName } from '../../../protocol/events/shell.ts'
import type { TerminalState } from '../../../terminal/state.ts'
import type { Foreground } from '../probe/classify.ts'
import type { ShellInfo, Terminal } from '../terminal.ts'

/** A living shell as its terminal uses it. */
export interface ShellSession
  extends ShellWork, Pick<Terminal, 'liveState'>, ShellKeys, ShellStart, ShellEnding {
  state(): TerminalState
}

/** The part for those who run something in it. */
export type ShellWork = Pick<
  Terminal,
  'run' | 'resume' | 'settle' | 'send' | 'interrupt' | 'keep' | 'names' | 'adopt' | 'cwd'
>

/** `asked`: a program reads a secret, as the kernel says. `likely`: nobody can know, and the words look so. */
export type SecretAsked =
  | { phase: 'asked'; program: string }
  | { phase: 'likely'; question: string }

/** The part for people at the keyboard. */
export interface ShellKeys {
  /** Keys of a person. */
  type(keys: string): void
  drive(driver: 'person' | 'model'): void
  /** Nothing is in front of the session's own shell, which said that it waits. */
  isAtPrompt(): boolean
  /** Whether a secret is asked for at this moment by what is in front of the shell; null: none is. */
  secretAsked(): Promise<SecretAsked | null>
  /** A line typed now is not shown: a secret is read, or single keys, as by what leads to another machine. */
  hidesInput(): Promise<boolean>
}

/** The part for whoever starts it, or finds it again. */
export interface ShellStart {
  info(): ShellInfo
  /** It has shown its first prompt. */
  isReady(): boolean
  /** At the first prompt, within this time; false when the shell ended or says nothing. */
  ready(ms: number): Promise<boolean>
  /** The terminal's foreground now. */
  front(shell: ShellName): Promise<Front>
  /** Another shell reads in its place. */
  onReplaced(): void
  /** Resolves when the session knows what happened so far. */
  reported(): Promise<void>
  /** Resolves once all earlier typed runs are reported, except those inside the current run. */
  caughtUp(): Promise<void>
}

/** The part for whoever reads its output, ends it, or gives it away. */
export interface ShellEnding {
  /** False when the holder does not answer. */
  sync(): Promise<boolean>
  head(): number
  /** Resolves when the prompt after a command is there, or takes long. */
  drawn(): Promise<void>
  /** Its prompt is there, and nothing is in front of it: also nothing that it does not tell of. */
  isAtRest(): Promise<boolean>
  forget(before: number): boolean
  /** It is another session's, whose folder this is: nothing of it is reported here any more. */
  give(to: MoveRequest): Promise<void>
  /** The server leaves; what goes on is not reported any more. */
  leave(): void
  /** Ends shell and holder; true when the holder is gone, false when it does not go. */
  end(): Promise<boolean>
}

export interface Front {
  seen: Foreground
  /** The shell's own process is in front. */
  isOwn: boolean
  /** That is another shell by now than the one that spoke first. */
  isReplaced: boolean
  /** The program that the shell started last and waits for: a start file's programs are no jobs of their own. */
  child: string | null
}
