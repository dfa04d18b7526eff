import { z } from 'zod'
import { CommandInfo, Completion, CompletionQuery, HistoryQuery, PastInput } from './completion.ts'
import type { Route } from './route.ts'
import { SessionId } from './seq.ts'

const OfSession = z.object({ id: SessionId })

/** What helps a person to type. */
export const inputRoutes = {
  complete: {
    method: 'GET',
    path: '/v1/sessions/:id/complete',
    summary:
      'What could stand at the cursor; a newer question of the same client ends an older one',
    access: 'token',
    params: OfSession,
    query: CompletionQuery,
    status: 200,
    answer: Completion,
  },
  history: {
    method: 'GET',
    path: '/v1/sessions/:id/history',
    summary: 'Earlier inputs of the team, newest first; nothing private and no secrets',
    access: 'token',
    params: OfSession,
    query: HistoryQuery,
    status: 200,
    answer: z.object({ inputs: z.array(PastInput) }),
  },
  commands: {
    method: 'GET',
    path: '/v1/sessions/:id/commands',
    summary: 'Every command that can be typed, with skills and command files',
    access: 'token',
    params: OfSession,
    status: 200,
    answer: z.object({ commands: z.array(CommandInfo) }),
  },
} as const satisfies Record<string, Route>
