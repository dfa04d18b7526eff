import { z } from 'zod'
import { eventBase } from './event-base.ts'
import { Seq, SessionId } from './seq.ts'

export const ShellName = z.enum(['bash', 'zsh', 'fish'])
export type ShellName = z.infer<typeof ShellName>

/** The quality of the shell's marks: `full`, `basic` (exit codes may be missing), `none`. */
export const Integration = z.enum(['full', 'basic', 'none'])
export type Integration = z.infer<typeof Integration>

const offset = z.number().int().nonnegative()

const settingWords = z.string()

/**
 * A setting of a live shell that is not as the start files left it. Once a person takes it as it is, it counts as if they
 * had made it so: this very value, for this shell only.
 */
export const ShellSetting = z.discriminatedUnion('of', [
  z.object({
    of: z.literal('path'),
    folders: z.array(z.object({ folder: z.string(), physical: z.string().nullable() })),
    /** Those that are new, without links; null: it is none that can be told. */
    added: z.array(z.string().nullable()),
    words: settingWords,
  }),
  z.object({
    of: z.literal('variable'),
    name: z.string(),
    /** Null: it is not set. */
    value: z.string().nullable(),
    isExported: z.boolean(),
    words: settingWords,
  }),
  z.object({ of: z.literal('option'), name: z.string(), isOn: z.boolean(), words: settingWords }),
])
export type ShellSetting = z.infer<typeof ShellSetting>

/** A shell that another session had before this one: it goes on as it is. */
export const TakenShell = z.object({
  session: SessionId,
  /** Its generation in that session. */
  generation: z.number().int().positive(),
  /** Places in the byte log that show what was private there. */
  hidden: z.array(z.object({ from: offset, to: offset })),
  /** It had become another program, or may have. */
  isReplaced: z.boolean(),
  isMute: z.boolean(),
  /** The last marks that the other session recorded: everything after them is recorded here. */
  lastTyped: z.number().int(),
  lastAdopted: z.number().int(),
})
export type TakenShell = z.infer<typeof TakenShell>

export const ShellStart = z.object({
  ...eventBase,
  type: z.literal('shell_start'),
  /** 1 for the session's first shell; a higher one means variables, functions and jobs are gone. */
  generation: z.number().int().positive(),
  shell: ShellName,
  pid: z.number().int().positive(),
  cwd: z.string(),
  integration: Integration,
  /** A word to people about it: its folder was gone, so it started elsewhere. */
  notice: z.string().optional(),
  /** The start of its part of the session's byte log. */
  ptyFrom: offset.optional(),
  taken: TakenShell.optional(),
})
export type ShellStart = z.infer<typeof ShellStart>

export const ShellExit = z.object({
  ...eventBase,
  type: z.literal('shell_exit'),
  generation: z.number().int().positive(),
  /** `moved`: it goes on in another session. */
  reason: z.enum(['exited', 'killed', 'restarted', 'lost', 'closed', 'moved']),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  /** With `moved`: which session that is. */
  movedTo: SessionId.optional(),
})
export type ShellExit = z.infer<typeof ShellExit>

/** A shell that runs inside the session's own was adopted: commands run there from now on. */
export const ShellAdopt = z.object({
  ...eventBase,
  type: z.literal('shell_adopt'),
  generation: z.number().int().positive(),
  /** 1 inside the session's own shell, 2 inside that; 0: the session's own became another program. */
  level: z.number().int().nonnegative(),
  /** The run it is in, which goes on. */
  run: Seq.nullable(),
  /** The command of that run. */
  command: z.string(),
  shell: ShellName,
  pid: z.number().int().nonnegative(),
  cwd: z.string(),
  /** Its user and machine, as it says. */
  place: z.string(),
  /** The offset of its first mark in the byte log. */
  ptyAt: z.number().int().nonnegative(),
})
export type ShellAdopt = z.infer<typeof ShellAdopt>

/** It has ended, or is out of reach: commands run around it again. */
export const ShellLeave = z.object({
  ...eventBase,
  type: z.literal('shell_leave'),
  /** The `shell_adopt`. */
  start: Seq,
  level: z.number().int().positive(),
  command: z.string(),
  reason: z.enum(['exited', 'lost']),
  /** The folder of the shell around it. */
  cwd: z.string(),
})
export type ShellLeave = z.infer<typeof ShellLeave>

/** A shell inside another one, as long as it is there. */
export const OpenLevel = z.object({
  /** The `shell_adopt`. */
  seq: Seq,
  run: Seq.nullable(),
  command: z.string(),
  ptyAt: z.number().int().nonnegative(),
  /** The folder of the shell around it, when it was adopted. */
  outerCwd: z.string(),
})
export type OpenLevel = z.infer<typeof OpenLevel>

/** News of a shell that nobody asked for: its terminal tells them, its session records them. */
export type ShellReport =
  /** A person typed a command at the prompt, and it runs. Known by where its output starts. */
  | TypedCommand<'typed-started'>
  | (TypedCommand<'typed-ended'> & {
      ptyTo: number
      bytes: number
      durationMs: number
      exitCode: number | null
      cwdAfter: string | null
      /** The mark that ended it: all before it may be forgotten once this is on disk. */
      seq: number
      level: number
    })
  /** The shell was found at its prompt: what a person typed earlier is over. */
  | { type: 'typed-over' }
  /** A shell that runs inside the session's own speaks to us: commands run there from now on. */
  | ({ type: 'shell-adopted' } & Pick<ShellAdopt, AdoptedPart>)
  /** It has ended, and commands run around it again. `ptyAt` tells one adoption from the next. */
  | ({ type: 'shell-left' } & Pick<ShellAdopt, 'level' | 'ptyAt'>)
  | ({ type: 'shell-ended'; reason: EndReason } & Pick<ShellExit, 'exitCode' | 'signal'>)

type AdoptedPart = 'level' | 'shell' | 'pid' | 'cwd' | 'place' | 'ptyAt'
type EndReason = Exclude<ShellExit['reason'], 'moved'>

interface TypedCommand<Type> {
  type: Type
  /** Empty when the shell does not tell it: its history leaves it out. */
  command: string
  ptyFrom: number
}
