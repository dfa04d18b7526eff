import type { Result } from '../../base/result.ts'
import type { LimitedCommand } from '../process/process-limits.ts'
import type { SharedEmulator } from './emulator/worker/shared-emulator.ts'
import type { Ops } from '../looker/ops.ts'
import type { LevelReport, ShellEnd, TypedReport } from './terminal.ts'

/** The bytes that are kept of the output. */
export interface LogCaps {
  sessionBytes: number
  /** The bytes of one run, before anything else has to go. */
  runBytes: number
}

/** Events that a terminal tells unasked. */
export interface TerminalEvents {
  onShellEnd(end: ShellEnd): void
  /** A person ran something by typing it; resolves when that is on disk. */
  onTyped?(report: TypedReport): Promise<void>
  /** A shell inside the session's own was adopted, or has ended; resolves when that is on disk. */
  onLevel?(report: LevelReport): Promise<void>
}

/** Finds the shell's program and where it can start; the error is a sentence. */
export type FindStart = (wanted: Ops['start']['in']) => Promise<Result<Ops['start']['out'], string>>

export interface TerminalOptions extends TerminalEvents {
  /** The session's own folder (0700): byte log, holder socket and run file live in it. */
  folder: string
  /** The shell program: bash, zsh or fish, by name or path. */
  shell: string
  /** The environment the shell starts with, already without secrets of ours. */
  env: Readonly<Record<string, string>>
  /** The bundled holder entry to start. */
  holderEntry: string
  /** A folder of programs that this shell finds before others of the same name. */
  bin?: string | undefined
  /** The beginning of the mark by which everything that the shell starts is known. */
  markPrefix?: string
  /** The command that starts the shell so that what runs in it stays within bounds. */
  limit?: (file: string, args: readonly string[]) => LimitedCommand
  /** So long a start waits for the first prompt; 0 = as long as it takes. What is not there by then is followed. */
  startMs?: number
  logCaps?: LogCaps
  /** Draws the screen for those who join; without one they get the last of the stream. */
  emulator?: SharedEmulator
  diagnose?: (message: string, error: unknown) => void
  /** Looks where a shell can start; without one that is looked at here. */
  findStart?: FindStart
}
