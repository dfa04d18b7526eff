import type { Kept } from '../../protocol/holder.ts'
import type { DrawPart } from './draw-output.ts'
import type { HolderClient } from './holder-client.ts'
import type { DrawScreen } from './run-sight.ts'
import type { TypedReport } from './terminal.ts'

/** What the shells inside each other share: the terminal and its holder. */
export interface LevelDeps {
  client: HolderClient
  generation: number
  /** The session's own shell. */
  basePid: number
  pts: string
  /** The byte log's folder. */
  folder: string
  draw: DrawPart | null
  screen: DrawScreen | null
  head: () => number
  kept: () => Kept
  /** When the connection to the holder began, on its clock, and whose command was being entered then. */
  found: { now: number; injecting: string | null }
  isOver: () => boolean
  restart: () => void
  onTyped: (report: TypedReport) => Promise<void>
  /** Resolves when all that went on inside the shell of this level is on disk; null if that was nothing. */
  inside: (level: number) => Promise<unknown> | null
  /** Every chain of promises has an owner that tells what went wrong. */
  diagnose: (message: string, error: unknown) => void
}

/** Which of them it is. */
export interface LevelPlace {
  number: number
  pid: number
  ptyAt: number
  /** It is behind a program that carries the terminal elsewhere. */
  isAway?: boolean
}
