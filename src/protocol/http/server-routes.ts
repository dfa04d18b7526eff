import { z } from 'zod'
import type { Route } from './route.ts'
import { LogDamage } from './session-view.ts'

export const Health = z.object({
  version: z.string(),
  protocol: z.number().int(),
  pid: z.number().int(),
  model: z.string(),
  sessions: z.number().int(),
  /** The limits on programs in a shell, in words. */
  limits: z.string().optional(),
  /** The folder the server was started in: a page offers it for a first session. */
  folder: z.string().optional(),
  /** Damage to the log, if any was found. */
  damage: LogDamage.optional(),
})
export type Health = z.infer<typeof Health>

/** A provider as `tandem models` shows it: what is set up, and whether it answers. */
export const ModelInfo = z.object({
  provider: z.string(),
  label: z.string(),
  /** Its key or address is there. */
  configured: z.boolean(),
  reachable: z.boolean(),
  /** The advice to a person, when it cannot be used. */
  problem: z.string().nullable(),
  /** Names as `--model` takes them. */
  models: z.array(z.string()),
})
export type ModelInfo = z.infer<typeof ModelInfo>

/** The server itself: who may talk to it, and what it has to offer. */
export const serverRoutes = {
  health: {
    method: 'GET',
    path: '/v1/health',
    summary: 'What is running here',
    answer: Health,
  },
  secret: {
    method: 'POST',
    path: '/v1/secrets',
    summary: 'Make a new one-time start URL',
    status: 201,
    answer: z.object({ secret: z.string(), url: z.string() }),
  },
  rotate: {
    method: 'POST',
    path: '/v1/token',
    summary: 'Replace the token; the old one stops working at once',
    answer: z.object({ token: z.string() }),
  },
  ticket: {
    method: 'POST',
    path: '/v1/tickets',
    summary: 'A single-use ticket for the WebSocket, good for 30 seconds',
    status: 201,
    answer: z.object({ ticket: z.string() }),
  },
  shutdown: {
    method: 'POST',
    path: '/v1/shutdown',
    summary: 'End the server; shells and their runs live on in their holders',
    body: z.strictObject({ shells: z.enum(['keep', 'end']).default('keep') }),
    status: 202,
    answer: z.object({ pid: z.number().int() }),
  },
  models: {
    method: 'GET',
    path: '/v1/models',
    summary: 'The models there are, and whether they answer',
    answer: z.object({ current: z.string(), providers: z.array(ModelInfo) }),
  },
} as const satisfies Record<string, Route>
