import { z } from 'zod'

/**
 * The messages between the holder and the server. The holder imports only the types: the schemas
 * would cost it 13 MB and 100 ms, so the server, which has them anyway, does the checking.
 */

const offset = z.number().int().nonnegative()
const pid = z.number().int().positive()

/** A place where the shell spoke: at this offset of the clean stream, at this holder time (ms). */
export const HeldMark = z.object({
  /** From 1 without gaps in one holder; what an acknowledgement names. */
  seq: z.number().int().positive(),
  kind: z.enum(['A', 'B', 'C', 'D', 'H', 'I', 'L', 'P']),
  /** The level of its shell: 0 is the session's own, 1 one that was adopted inside it, and so on. */
  level: z.number().int().nonnegative().default(0),
  fields: z.array(z.string()),
  offset,
  time: z.number(),
})
export type HeldMark = z.infer<typeof HeldMark>

export const HolderExit = z.object({
  code: z.number().int().nullable(),
  signal: z.string().nullable(),
  time: z.number(),
})
export type HolderExit = z.infer<typeof HolderExit>

/** The kept part of the byte log. Its files say it exactly; this says when to look. */
export const Kept = z.object({
  oldest: offset,
  refusedBytes: z.number().int().nonnegative(),
  /** From here on all is kept; an older holder does not say. */
  missingBefore: offset.optional(),
})
export type Kept = z.infer<typeof Kept>

/** The server's screen at an offset of the stream, for a server that comes after it. */
export const Checkpoint = z.object({
  offset,
  rows: z.number().int().positive(),
  cols: z.number().int().positive(),
  data: z.string(),
})
export type Checkpoint = z.infer<typeof Checkpoint>

/** The first frame on every connection: enough for a new server to know all an old one knew. */
export const Hello = z.object({
  generation: z.number().int().positive(),
  pid,
  shellPid: pid,
  pts: z.string(),
  head: offset,
  kept: Kept,
  /** The holder's monotonic clock, the one of every mark. */
  now: z.number(),
  marks: z.array(HeldMark),
  /** The run whose command is on its way into the line editor. */
  injecting: z.string().nullable(),
  exit: HolderExit.nullable(),
  /** The terminal's size; an older holder does not say. */
  size: z.object({ rows: z.number().int(), cols: z.number().int() }).optional(),
  checkpoint: Checkpoint.nullable().default(null),
  /** It knows stamped injections; a holder of an earlier version would take one for another shell's. */
  takesStamps: z.boolean().default(false),
  /** It can be asked for the shell's state. */
  tellsState: z.boolean().default(false),
})
export type Hello = z.infer<typeof Hello>

/** The kernel's view of the shell, asked through its parent, which may look where others may not. */
export const Probed = z.object({
  /** The terminal's foreground process group; 0 when there is none. */
  foreground: z.number().int(),
  /** Whether that group's leader handles or ignores SIGINT; null when there is no leader. */
  minds: z.boolean().nullable(),
  /** The line of `/proc/<shell>/syscall`; null where it cannot be read. */
  syscall: z.string().nullable(),
})
export type Probed = z.infer<typeof Probed>

/** The command never reached the line editor; its keys are not bound (any more). */
export const Uninjected = z.object({
  id: z.string(),
  reason: z.string(),
  /** The shell was asked for a prompt, and nothing came: it does not speak to us any more. */
  isUnheard: z.boolean().optional(),
  /** The shell is not as it was when the command was allowed: nothing was entered. */
  isMoved: z.boolean().optional(),
  /** It was taken back before the shell had it: nothing is to be cleared away. */
  isWithdrawn: z.boolean().optional(),
})
export type Uninjected = z.infer<typeof Uninjected>

/** The command waits for a shell that does not read: it is at work, or stopped. */
export const Late = z.object({ id: z.string() })
export type Late = z.infer<typeof Late>

/** From this offset on the server answers terminal queries. */
export const Quiet = z.object({ offset })
export type Quiet = z.infer<typeof Quiet>

/** `holder.json`, how a later server finds the holder. The start time unmasks a recycled pid. */
export const HolderFile = z.object({
  pid,
  startTime: z.string(),
  socket: z.string(),
  generation: z.number().int().positive(),
})
export type HolderFile = z.infer<typeof HolderFile>

/** The one line a new holder writes before it lets go of its parent. */
export const HolderReady = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), socket: z.string(), pid }),
  z.object({ ok: z.literal(false), message: z.string() }),
])
export type HolderReady = z.infer<typeof HolderReady>

/** Line-editor keys that the integration binds, and those that bring a new prompt where it cannot. */
export interface InjectionKeys {
  load: string
  accept: string
  restore: string
  fresh: string
  /** Writes down what the shell knows by name. */
  names: string
  /** Writes down what a command would mean now; missing where a shell cannot say. */
  state?: string
}

/** The start order of a holder, over its stdin, so that neither argv, environment nor disk shows it. */
export interface HolderStart {
  folder: string
  generation: number
  nonce: string
  shell: {
    file: string
    /** `@START@` stands for the start file's path. */
    args: readonly string[]
    /** `@NONCE@` and `@FOLDER@` are filled in by the holder. */
    startFile: string
    /**
     * The name under which the shell looks for it by itself; `@FOLDER@` in `env` is the folder it
     * is in.
     */
    startName?: string
    env?: Readonly<Record<string, string>>
    keys: InjectionKeys
    /** It writes the window's title after it said that output starts: output starts behind that. */
    titlesCommands?: boolean
    /** It takes pastes in brackets without saying so at each prompt. */
    alwaysBrackets?: boolean
    /** It draws its prompt behind an unfinished line, and does not know that of it when it draws again. */
    joinsLines?: boolean
  }
  cwd: string
  env: Readonly<Record<string, string>>
  size: { rows: number; cols: number }
  /** Folders for short-lived private files, best first; a memory filesystem if there is one. */
  privateRoots: readonly string[]
  maxLogBytes: number
  maxRunBytes: number
  /** The time it stays when there is neither a server, a run nor a job. */
  idleMs: number
}

/** The shell is another session's from now on: its folder, and which of its shells this is. */
export interface MoveRequest {
  folder: string
  generation: number
}

export const Moved = z.object({ ok: z.boolean() })
export type Moved = z.infer<typeof Moved>

/** The way to make a running shell of one kind speak to the holder. */
export interface AdoptableShell {
  /** The oldest version that can. */
  since: string
  /**
   * The line that is typed so that it reads the script, without showing it; `@TOKEN@` and `@BYTES@`
   * are filled in.
   */
  reads: string
  /** `@NONCE@` is filled in by the holder. */
  script: string
  keys: InjectionKeys
  titlesCommands?: boolean
  alwaysBrackets?: boolean
}

export interface AdoptRequest {
  /** The level it becomes: one more than the innermost, or that one itself if its shell was replaced. */
  level: number
  /** The foreground process group: with it the shell is gone. */
  group: number
  /** It is behind a program that carries a terminal elsewhere: the kernel cannot say what reads there. */
  isCarried: boolean
  /** The line that is typed first, to learn which shell it is; `@TOKEN@` is filled in. */
  asks: string
  shells: Readonly<Record<'bash' | 'zsh' | 'fish', AdoptableShell>>
}

/** The shell speaks; or a sentence why it does not. */
export const Adopted = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), level: z.number().int() }),
  z.object({ ok: z.literal(false), reason: z.string() }),
])
export type Adopted = z.infer<typeof Adopted>
