import type { ToolUpdate } from '../../protocol/stream/delta.ts'
import type { Result } from '../../base/result.ts'
import type { RunId } from '../../protocol/events/seq.ts'
import type { Captured } from '../../base/text.ts'
import type {
  RunEnded,
  ShellAdopted,
  ShellEnded,
  ShellLeft,
  ShellStarted,
  TypedEnded,
  TypedOver,
  TypedStarted,
} from '../../session/record/report.ts'
import type { TerminalInput } from '../../protocol/events/call.ts'
import type { LogPart, Range } from './byte-log/read-byte-log.ts'
import type { FormerHolder } from './holder/end-holder.ts'
import type { CastItem } from './emulator/output/cast.ts'
import type { SessionLiveView } from './live-view/live-view.ts'
import type { Look } from './byte-log/read-screen.ts'
import type { SecretAsked } from './shell/session.ts'
import type { PulledState, ShellNames } from './shell/ask-state.ts'

export type { Captured }

export type ShellInfo = Omit<ShellStarted, 'type'>

export interface OfferedShell extends Pick<ShellInfo, 'shell' | 'integration'> {
  /** The end of its output. */
  ptyAt: number
  /** Something runs in it, whether it tells or not. */
  isBusy: boolean
}

export type ShellEnd = Omit<ShellEnded, 'type'>

export type TypedReport = TypedStarted | TypedEnded | TypedOver

export type LevelReport = ShellAdopted | ShellLeft

/** A shell that ran inside the session's, and now takes its commands. */
export type AdoptedShell = Pick<ShellAdopted, 'shell' | 'place' | 'cwd'>

export interface TerminalRun {
  id: RunId
  command: string
  /** The model's commands get an environment without pagers. */
  by: 'person' | 'model'
  /** It leaves no trace in the shell's history. */
  private?: boolean
  /** 0 = none. A model's run may last this long; a person's may be silent this long. */
  timeoutMs: number
  /** The level of the shell that is the innermost as far as whoever orders it was told. */
  level?: number
  /** It runs only while the terminal is at this stamp; null: wherever the shell is. */
  stamp?: number | null
}

/** The end of a run: what is reported of it, less where it stands in the log. */
export type TerminalRunEnd = Omit<RunEnded, 'type' | 'run' | 'stdout' | 'stderr'>

export type RunStatus = NonNullable<ToolUpdate['status']>

export interface RunWatch {
  /** Aborting it climbs the stop ladder: Ctrl+C, TERM after 2 s, KILL after 5 s, a new shell. */
  signal: AbortSignal
  /** More output, decoded, with its colours. */
  /** Output as text; before it lie so many UTF-16 units that nobody was told. */
  onOutput(text: string, skipped?: number): void
  /** Called once, when the time is up; the ladder follows and the run still ends by itself. */
  onTimeout(output: Captured): void
  /** `leftMs` comes with `ending`: the time until its silence is too long. */
  onStatus(status: RunStatus, leftMs?: number): void
  /** The program needs somebody: it reads a line or a secret, or has taken the screen. */
  onWaits(state: 'waiting' | 'secret' | 'screen', seen: Captured): void
  /** The disk is full: what it prints is not kept. */
  onRefused?(): void
}

export interface SendOptions {
  signal: AbortSignal
  /** Nothing that stands in these places of the byte log is shown; none unless told. */
  hidden?: readonly Range[]
}

/** The result of input to the running program. */
export interface Sent {
  /** The reason why it was not sent; null if it was. */
  refused: string | null
  state: 'ended' | 'running' | 'waiting' | 'secret' | 'screen'
  /**
   * The text that it printed from then until it needed somebody, ended, or had time enough; the screen, if
   * it took that.
   */
  output: Captured
}

/** A session's shared shell as the host sees it. One run at a time; the host keeps the order. */
export interface Terminal extends TerminalLife, TerminalWork, TerminalOutput {
  /** The terminal as people see it and type into it. */
  readonly liveView: SessionLiveView
}

/** The part for whoever starts shells, hands them over and ends them. */
export interface TerminalLife {
  /** Starts a new shell behind a new holder. The error is a sentence for a person. */
  start(options: { generation: number; cwd: string }): Promise<Result<ShellInfo, string>>
  /**
   * Finds the living holder of this generation again, after the server was restarted; one that was to come from
   * elsewhere is called from there.
   */
  attach(generation: number, from?: FormerHolder): Promise<ShellInfo | null>
  /**
   * Gets the shell ready for another session: its screen is put aside. Null when there is none that lives, `silent`
   * when nobody answers for it.
   */
  offer(): Promise<OfferedShell | 'silent' | null>
  /** It is the first shell of another session, whose folder this is; no other starts here before it has left. */
  give(folder: string): Promise<void>
  /** Another session has the shell: people are shown that, and how it was left. */
  showMoved(): void
  /** The server leaves; the holder and its run live on. */
  detach(): Promise<void>
  /** The session is gone: the shell, its holder and all they started end. */
  close(): Promise<void>
}

/** The part for those who run something, and those who judge it. */
export interface TerminalWork {
  run(run: TerminalRun, watch: RunWatch): Promise<TerminalRunEnd>
  /** Picks up a run that an earlier server began; never runs it again. */
  resume(run: TerminalRun, watch: RunWatch): Promise<TerminalRunEnd>
  /** The run's end is on disk: the holder may forget what it kept for it. */
  settle(run: RunId): void
  /** The model's input for the running program; refused at a prompt and while a secret is read. */
  send(input: TerminalInput, options: SendOptions): Promise<Sent>
  /** The last lines as a person sees them, without what was printed in hidden places. */
  read(look: Look): Promise<Captured>
  /** Only while nobody looks at it; says why not, or null. */
  resize(size: { rows: number; cols: number }): Promise<string | null>
  /**
   * Makes the shell that reads in the terminal now (of `ssh`, `su`, `bash --norc`) the one that commands run
   * in. The error is a sentence for a person.
   */
  adopt(): Promise<Result<AdoptedShell, string>>
  /** The run may be silent as long as it likes. */
  keep(): void
  /** A restart resolves when the shell is gone, by whatever means; that takes seconds at most. */
  interrupt(signal: 'int' | 'term' | 'kill' | 'restart'): Promise<void>
  /** The shell's folder, as its last prompt said. */
  cwd(): string | null
  /** Names where, and in what state, a command would run now; null without a shell. */
  stamp(): number | null
  /** Resolves when the session knows all that was heard so far. */
  reported(): Promise<void>
  /** Whether a secret is asked for at this moment; null: none is. */
  secretAsked(): Promise<SecretAsked | null>
  /** The names that the shell knew at its last prompt; a busy one is not asked. */
  names(): Promise<ShellNames | null>
  /**
   * The shell's state, and what these names are in it; null when it is busy, adopted or fish, or does not say:
   * then nothing is known of what a command would do.
   */
  liveState(names?: readonly string[]): Promise<PulledState | null>
}

/** The part for those who read what was printed. */
export interface TerminalOutput {
  /**
   * The first stretch of a range of the byte log that is kept without a gap: where it begins, and at
   * most `limit` bytes of it. Works without a living shell.
   */
  readOutput(range: Range & { limit?: number }): Promise<LogPart>
  /** Lets go of the byte log before this offset; false when no holder is connected. */
  forget(before: number): boolean
  /** The session's byte log with its times, to be played again. */
  recording(): AsyncIterable<CastItem>
}
