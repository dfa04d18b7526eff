import { Rule } from '../events/rule.ts'
import { z } from 'zod'
import { ElicitationRequest } from '../events/ask.ts'
import { ToolRequest } from '../events/call.ts'
import { InputQueued } from '../events/queue.ts'
import { RunEnd, RunStart } from '../events/run.ts'
import { At, Head, Seq, SessionId } from '../events/seq.ts'
import { ApprovalMode } from '../events/approval-mode.ts'
import { TeamName } from '../events/session.ts'
import { OpenLevel, ShellSetting } from '../events/shell.ts'
import { Meter } from '../events/turn.ts'

/** One line of the session list. */
export const SessionSummary = z.object({
  id: SessionId,
  team: TeamName,
  workspace: z.string(),
  title: z.string().nullable(),
  createdAt: At,
  updatedAt: At,
  head: Head,
  /** The first thing a person said or ran, for a list without titles. */
  preview: z.string().nullable(),
  /** It has a shell, or something is under way. */
  live: z.boolean(),
})
export type SessionSummary = z.infer<typeof SessionSummary>

/** Damage to the log that was found after an unclean end. */
export const LogDamage = z.object({
  /** A sentence: what was found, and what to do. */
  message: z.string(),
  /** Sessions whose log cannot be read whole. */
  damaged: z.array(SessionId),
  /** Sessions that have a folder but no log that could be read. */
  lost: z.array(SessionId),
})
export type LogDamage = z.infer<typeof LogDamage>

export const SessionStatus = z.enum(['idle', 'thinking', 'running', 'asking'])
export type SessionStatus = z.infer<typeof SessionStatus>

/** The state of a session: enough to draw it before its log has been read. */
export const SessionView = z.object({
  ...SessionSummary.omit({ preview: true, live: true }).shape,
  seq: Head,
  status: SessionStatus,
  approval: ApprovalMode,
  private: z.boolean(),
  /** Standing yeses for the rest of this session, if there are any. */
  rules: z.array(Rule).optional(),
  /** Settings of its shell that a person took as they are; left out while there are none. */
  settings: z.array(ShellSetting).optional(),
  model: z.string().nullable(),
  /** Left out by servers that do not count. */
  meter: Meter.optional(),
  shell: z
    .object({ generation: z.number().int(), pid: z.number().int(), cwd: z.string() })
    .nullable(),
  open: z.object({
    turn: Seq.nullable(),
    step: Seq.nullable(),
    calls: z.array(ToolRequest),
    runs: z.array(RunStart),
    /** Shells that were adopted inside each other, the innermost last. */
    levels: z.array(OpenLevel),
    asks: z.array(ElicitationRequest),
    queue: z.array(InputQueued),
  }),
})
export type SessionView = z.infer<typeof SessionView>

/** A run with its end, if it has one. */
export const RunView = z.object({ start: RunStart, end: RunEnd.nullable() })
export type RunView = z.infer<typeof RunView>

/** A page of what a run printed, colours included. Offsets count bytes from the run's first. */
export const RunOutput = z.object({
  from: z.number().int().nonnegative(),
  to: z.number().int().nonnegative(),
  total: z.number().int().nonnegative(),
  /** Bytes of the page that are no longer kept; in the shared terminal they lie before its text. */
  missing: z.number().int().nonnegative(),
  text: z.string(),
})
export type RunOutput = z.infer<typeof RunOutput>

/** The answer to an accepted intent: it is on disk, and these are the events it caused. */
export const Accepted = z.object({
  /** Null when nothing had to be written: an empty `!`, a signal. A repeated key gets the first answer again. */
  first: Seq.nullable(),
  head: Head,
})
export type Accepted = z.infer<typeof Accepted>
