import type { MoveRequest } from '../../../protocol/holder.ts'
import type { ShellName } from '../../../protocol/shell.ts'
import type { TerminalState } from '../../../terminal/state.ts'
import type { Foreground } from '../probe/classify.ts'
import type { ShellInfo, Terminal } from '../terminal.ts'

/** One living shell as its terminal uses it. */
export interface ShellSession extends Pick<
  Terminal,
  'run' | 'resume' | 'settle' | 'send' | 'interrupt' | 'keep' | 'names' | 'adopt' | 'cwd'
> {
  state(): TerminalState
  /** Keys of a person. */
  type(keys: string): void
  drive(driver: 'person' | 'model'): void
  info(): ShellInfo
  /** It has shown its first prompt. */
  isReady(): boolean
  /** What the terminal's foreground does now. */
  front(shell: ShellName): Promise<Front>
  /** Another shell reads in its place. */
  onReplaced(): void
  /** At the first prompt, within this time; false when the shell ended or says nothing. */
  ready(ms: number): Promise<boolean>
  /** False when the holder does not answer. */
  sync(): Promise<boolean>
  head(): number
  /** Resolves once all earlier typed runs are reported, except those inside the current run. */
  caughtUp(): Promise<void>
  /** After a command its prompt is there, unless that takes long. */
  drawn(): Promise<void>
  /** Its prompt is there, and nothing is in front of it: also nothing that it does not tell of. */
  isAtRest(): Promise<boolean>
  forget(before: number): boolean
  /** It is another session's, whose folder this is: nothing of it is reported here any more. */
  give(place: MoveRequest): Promise<void>
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
