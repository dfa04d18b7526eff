import { z } from 'zod'
import { eventBase } from './event-base.ts'

export const ShellName = z.enum(['bash', 'zsh', 'fish'])
export type ShellName = z.infer<typeof ShellName>

/** How well we hear the shell: `full` marks, `basic` (exit codes may be missing), `none`. */
export const Integration = z.enum(['full', 'basic', 'none'])
export type Integration = z.infer<typeof Integration>

export const ShellStart = z.object({
  ...eventBase,
  type: z.literal('shell_start'),
  /** 1 for the session's first shell; a higher one means variables, functions and jobs are gone. */
  generation: z.number().int().positive(),
  shell: ShellName,
  pid: z.number().int().positive(),
  cwd: z.string(),
  integration: Integration,
  /** Where its part of the session's byte log begins. */
  ptyFrom: z.number().int().nonnegative().optional(),
})
export type ShellStart = z.infer<typeof ShellStart>

export const ShellExit = z.object({
  ...eventBase,
  type: z.literal('shell_exit'),
  generation: z.number().int().positive(),
  reason: z.enum(['exited', 'killed', 'restarted', 'lost', 'closed']),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
})
export type ShellExit = z.infer<typeof ShellExit>
