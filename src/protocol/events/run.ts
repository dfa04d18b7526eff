import { z } from 'zod'
import { StoredVerdict } from './ask.ts'
import { eventBase } from './event-base.ts'
import { RunId, Seq } from './seq.ts'

/** The origin of a command. `bash` is a client's bash mode; `typed` was keyed into the terminal. */
export const RunSource = z.enum(['model', 'bang', 'slash', 'bash', 'api', 'mcp', 'acp', 'typed'])
export type RunSource = z.infer<typeof RunSource>

/** `terminal` is the shared shell; `background` a child process of its own. */
export const Lane = z.enum(['terminal', 'background'])
export type Lane = z.infer<typeof Lane>

/** The run that a call asks for. */
export const RunRequest = z.object({
  command: z.string(),
  lane: Lane,
  source: RunSource,
  cwd: z.string().optional(),
  repo: z.string().optional(),
  /** 0 = none. For a person's own terminal run it counts silence. */
  timeoutMs: z.number().int().min(0),
  private: z.boolean(),
  /** `!?cmd`: a turn about the result follows. */
  thenTurn: z.boolean(),
})
export type RunRequest = z.infer<typeof RunRequest>

export const RunStart = z.object({
  ...eventBase,
  type: z.literal('run_start'),
  run: RunId,
  /** The call; null for what a person typed straight into the terminal. */
  request: Seq.nullable(),
  command: z.string(),
  source: RunSource,
  lane: Lane,
  private: z.boolean(),
  /** 0 in the background lane, and when no shell is up yet: the run starts it. */
  generation: z.number().int().nonnegative(),
  timeoutMs: z.number().int().min(0),
  cwd: z.string().nullable(),
  /** For a model's run in the terminal: the stamp that it was judged at and starts at. */
  stamp: z.number().int().nonnegative().optional(),
  /** And the shell's last mark then: the command is not entered after another one. */
  mark: z.number().int().nonnegative().optional(),
  /** The `elicitation_response` that it runs by. */
  yes: Seq.optional(),
  /** For a model's run that nobody was asked about: why it was allowed. Logs of old versions do not say it. */
  verdict: StoredVerdict.optional(),
  /** For a typed run: where its output starts in the byte log. */
  ptyFrom: z.number().int().nonnegative().optional(),
})
export type RunStart = z.infer<typeof RunStart>

/**
 * `ended`: the shell or the kernel said so. `not_started`: no byte reached a shell.
 * `lost`: the outcome is unknown, and the command is never run again.
 */
export const RunOutcome = z.enum(['ended', 'not_started', 'shell_exited', 'lost'])
export type RunOutcome = z.infer<typeof RunOutcome>

/** One stream of a one-shot run: what came, and how much of it is not kept. */
export const StreamRef = z.object({
  bytes: z.number().int().nonnegative(),
  omitted: z.number().int().nonnegative(),
})
export type StreamRef = z.infer<typeof StreamRef>

export const RunEnd = z.object({
  ...eventBase,
  type: z.literal('run_end'),
  run: RunId,
  start: Seq,
  outcome: RunOutcome,
  /** With `not_started`: the shell was no longer where it was judged, so the command is judged anew. */
  moved: z.literal(true).optional(),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  durationMs: z.number().int().nonnegative(),
  /** The bytes that the command printed, and those that are no longer kept. */
  bytes: z.number().int().nonnegative(),
  omitted: z.number().int().nonnegative(),
  cwdAfter: z.string().nullable(),
  /** The run's range of the session's byte log. */
  ptyFrom: z.number().int().nonnegative().nullable(),
  ptyTo: z.number().int().nonnegative().nullable(),
  /**
   * For a private run: all of the byte log that shows its command or its output. Null: no end is
   * known but the beginning of the next output.
   */
  shown: z
    .object({
      from: z.number().int().nonnegative(),
      to: z.number().int().nonnegative().nullable(),
    })
    .optional(),
  /** In the background lane. Offsets of its output count through stdout, then through stderr. */
  stdout: StreamRef.optional(),
  stderr: StreamRef.optional(),
  /**
   * The record for the model, when the call was answered before the run ended: frozen like an answer.
   * Null when the answer itself tells the end, and always for private runs.
   */
  content: z.string().nullable().default(null),
})
export type RunEnd = z.infer<typeof RunEnd>
