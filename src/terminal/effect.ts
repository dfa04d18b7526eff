import type { ShellName, ShellReport } from '../protocol/events/shell.ts'
import type { ToolUpdate } from '../protocol/stream/delta.ts'
import type { ProbeReason } from './incoming.ts'
import type { Need } from './shell/needs.ts'
import type { Run, Verdict } from './shell/run.ts'
import type { Track } from './shell/track.ts'

/** A run's state for those who watch it. */
type RunStatus = Exclude<ToolUpdate['status'], 'disk_full' | undefined>

/** Keys that stop a program. */
export const [interruptKey, quitKey] = ['\x03', '\x1c']

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
  /** A shell inside it took over: its output and needs are that one's. */
  | { type: 'unwatch'; run: string }
  | { type: 'timeout'; run: string }
  /** Asks whether the program has computed since it was last asked; heard as `worked`. */
  | { type: 'measure'; run: string }
  /** The program reads a line or a secret, or has taken the screen. */
  | { type: 'waits'; run: string; need: NonNullable<Need> }
  | { type: 'ended'; level: number; run: Run; track: Track | null; verdict: Verdict }
  | { type: 'report'; report: ShellReport }
  | { type: 'acknowledge'; seq: number; level: number }
  /** Another shell reads in the place of this one; how it went is heard as `adopted`. */
  | { type: 'adopt' }
  /** Nothing is left to be asked of the holder. */
  | { type: 'end-holder' }
