import { z } from 'zod'
import { ElicitationRequest, ElicitationResponse } from './ask.ts'
import { ToolRequest, ToolResponse } from './call.ts'
import { EpochStart } from './epoch.ts'
import { eventBase } from './event-base.ts'
import { Message } from './message.ts'
import { InputQueued, InputWithdrawn } from './queue.ts'
import { RunEnd, RunStart } from './run.ts'
import { SessionStart, SessionUpdate } from './session.ts'
import { ShellAdopt, ShellExit, ShellLeave, ShellStart } from './shell.ts'
import { AgentEnd, AgentStart, StepEnd, StepStart } from './turn.ts'

/** The world failed. The wire name is `error`. */
const Fault = z.object({
  ...eventBase,
  type: z.literal('error'),
  code: z.string().regex(/^[a-z_]+$/),
  message: z.string(),
  fatal: z.boolean(),
  retryAfterMs: z.number().int().nonnegative().nullable(),
})

/** A durable fact of a session. The ordered list of them is the log. */
export const Event = z.discriminatedUnion('type', [
  SessionStart,
  SessionUpdate,
  EpochStart,
  ShellStart,
  ShellExit,
  ShellAdopt,
  ShellLeave,
  InputQueued,
  InputWithdrawn,
  Message,
  AgentStart,
  AgentEnd,
  StepStart,
  StepEnd,
  ToolRequest,
  ToolResponse,
  RunStart,
  RunEnd,
  ElicitationRequest,
  ElicitationResponse,
  Fault,
])
export type Event = z.infer<typeof Event>
