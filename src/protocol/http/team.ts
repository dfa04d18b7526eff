import { z } from 'zod'
import { At, IntentKey, RunId, SessionId } from '../events/seq.ts'
import { limits } from '../limits.ts'

/** A name that stands in a command line and in an address as it is. */
export const RepoName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'a repo’s name has letters, digits, dot, underscore and hyphen, at most 64, and begins with a letter or digit',
  )

/** A folder of the team’s that `/shell` can work in. */
export const Repo = z.object({
  name: RepoName,
  /** Absolute, links followed when it was registered. */
  path: z.string(),
  /** Its folder is not there now. */
  missing: z.literal(true).optional(),
})
export type Repo = z.infer<typeof Repo>

export const NewRepo = z.strictObject({
  /** An existing absolute folder. */
  path: z.string().min(1).max(4_096),
  /** Default: the folder’s own, made valid and, where taken, numbered. */
  name: RepoName.optional(),
})
export type NewRepo = z.infer<typeof NewRepo>

export const TaskId = z.string().regex(/^T\d{4,}$/, 'not a task such as T0042')
export type TaskId = z.infer<typeof TaskId>

export const TaskStatus = z.enum(['open', 'assigned', 'review', 'done'])
export type TaskStatus = z.infer<typeof TaskStatus>

export const TaskTitle = z
  .string()
  .transform((text) => text.replaceAll(/\s+/g, ' ').trim())
  .pipe(
    z
      .string()
      .min(1, 'a task needs a title')
      .max(limits.titleChars, `a task’s title has at most ${limits.titleChars} characters`),
  )

/** The person or agent who does it, by any name of one word. */
export const Assignee = z
  .string()
  .regex(/^[\p{L}\p{N}@][\p{L}\p{N}@._-]{0,63}$/u, 'an assignee is one word, such as alice')

export const Task = z.object({
  id: TaskId,
  title: z.string().min(1).max(limits.titleChars),
  status: TaskStatus,
  assignee: z.string().nullable(),
  createdAt: At,
  updatedAt: At,
})
export type Task = z.infer<typeof Task>

/** A move of a task: open → assigned → review → done. */
export const TaskMove = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('assign'), to: Assignee }),
  z.strictObject({ action: z.enum(['review', 'approve', 'done']) }),
])
export type TaskMove = z.infer<typeof TaskMove>

/** A folder whose configuration, skills and command files count, and where git may be asked. */
export const TrustedFolder = z.object({ path: z.string(), at: At })
export type TrustedFolder = z.infer<typeof TrustedFolder>

/** A one-shot command as Delegate’s clients ask for it: what they leave out they may say as null. */
export const ShellOrder = z.strictObject({
  command: z.string().max(limits.commandBytes),
  /** Relative to the repo. */
  cwd: z.string().nullish(),
  /** Default: the team’s first one, else the team’s own folder. */
  repo: z.string().nullish(),
  /** Default: the team’s main session, made when it is first needed. */
  session: SessionId.nullish(),
  /** The same key twice runs it once. */
  key: IntentKey.optional(),
})
export type ShellOrder = z.infer<typeof ShellOrder>

export const ShellAccepted = z.object({
  id: RunId,
  status: z.literal('running'),
  command: z.string(),
})
export type ShellAccepted = z.infer<typeof ShellAccepted>

/**
 * `exit`: it ended by itself, with another code than 0 or by a signal. `timeout`: its time was up.
 * `cancelled`: somebody took it back. `lost`: how it ended is not known. `not_started`: it could not be.
 */
const ShellErrorReason = z.enum(['exit', 'timeout', 'cancelled', 'lost', 'not_started'])

/** The state of a one-shot command. Names are Delegate’s. */
export const ShellResult = z.object({
  id: RunId,
  /** `error`: it ended otherwise than with 0, was stopped, got lost or could not be started. */
  status: z.enum(['running', 'done', 'error']),
  /** With `error` only, and beside Delegate’s own fields: why. */
  reason: ShellErrorReason.optional(),
  /** Null while there is none, and when a signal ended it. */
  exit_code: z.number().int().nullable(),
  /** Empty until it has ended; both together have at most 100,000 bytes, and say what is left out. */
  stdout: z.string(),
  stderr: z.string(),
  /** Until now, while it runs. */
  duration_ms: z.number().int().nonnegative(),
})
export type ShellResult = z.infer<typeof ShellResult>
