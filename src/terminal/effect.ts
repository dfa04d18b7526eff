import type { ShellName } from '../protocol/shell.ts'
import type { Need } from './reads-itself.ts'
import type { Run, Verdict } from './run.ts'
import type { Track } from './track.ts'

/** A run's state for those who watch it. */
export type RunStatus =
  | 'shell'
  | 'running'
  | 'waiting'
  | 'secret'
  | 'screen'
  | 'ending'
  | 'stopping'
  | 'killing'

/** What the session is told without having asked. */
export type Told =
  | { type: 'typed-started'; command: string; ptyFrom: number }
  | {
      type: 'typed-ended'
      command: string
      ptyFrom: number
      ptyTo: number
      bytes: number
      durationMs: number
      exitCode: number | null
      cwdAfter: string | null
      /** The mark that ended it: all before it may be forgotten once this is on disk. */
      seq: number
      level: number
    }
  | { type: 'typed-over' }
  | {
      type: 'shell-adopted'
      level: number
      shell: ShellName
      pid: number
      cwd: string
      place: string
      ptyAt: number
    }
  | { type: 'shell-left'; level: number; ptyAt: number }
  | {
      type: 'shell-ended'
      reason: 'exited' | 'killed' | 'restarted' | 'lost' | 'closed'
      exitCode: number | null
      signal: string | null
    }

/** Why the kernel is asked: is the shell at its prompt, what is in front before and after Ctrl+C, is it still. */
export type ProbeReason = 'idle' | 'exec' | 'press' | 'pressed' | 'climb'

/** Something that the edge does, in the order of the list. */
export type Effect =
  | { type: 'inject'; level: number; name: ShellName; isByKeys: boolean; run: Run }
  /** A command that its shell has not taken yet is not wanted any more. */
  | { type: 'withdraw'; run: string }
  | { type: 'type'; text: string }
  | { type: 'signal'; signal: 'int' | 'term' | 'kill' }
  /** Ends the shell and all it started; a new one takes its place. */
  | { type: 'restart' }
  /** Asks the kernel; the answer is heard as `probed`. */
  | { type: 'probe'; level: number; why: ProbeReason }
  | { type: 'status'; run: string; status: RunStatus; leftMs?: number }
  /** Its output begins, or begins again. */
  | { type: 'watch'; run: string }
  /** A shell inside it took over: what is waited for is that one's. */
  | { type: 'unwatch'; run: string }
  | { type: 'timeout'; run: string }
  /** Asks whether the program has computed since it was last asked; heard as `worked`. */
  | { type: 'measure'; run: string }
  /** The program reads a line or a secret, or has taken the screen. */
  | { type: 'waits'; run: string; need: NonNullable<Need> }
  | { type: 'ended'; level: number; run: Run; track: Track | null; verdict: Verdict }
  | { type: 'tell'; told: Told }
  | { type: 'acknowledge'; seq: number; level: number }
  /** Another shell reads in the place of this one; how it went is heard as `adopted`. */
  | { type: 'adopt' }
  /** Nothing is left to be asked of the holder. */
  | { type: 'end-holder' }

export interface Step<State> {
  readonly state: State
  readonly effects: readonly Effect[]
}

export const noEffects: readonly Effect[] = []

export function stay<State>(state: State): Step<State> {
  return { state, effects: noEffects }
}

export function act<State>(state: State, ...effects: readonly Effect[]): Step<State> {
  return { state, effects }
}

/** Does one after the other, each with the state that the last one left. */
export function andThen<State>(
  { state, effects }: Step<State>,
  next: (state: State) => Step<State>,
): Step<State> {
  const after = next(state)
  if (effects.length === 0) return after
  return after.effects.length === 0
    ? { state: after.state, effects }
    : { state: after.state, effects: [...effects, ...after.effects] }
}
