import { z } from 'zod'
import type { Route } from './route.ts'
import { TeamName } from './session.ts'
import { Stats } from './stats.ts'

export const StatsQuery = z.object({
  team: TeamName.optional(),
  days: z.coerce.number().int().min(1).max(36_500).optional(),
})
export type StatsQuery = z.infer<typeof StatsQuery>

export const statsRoutes = {
  stats: {
    method: 'GET',
    path: '/v1/stats',
    summary: 'How Tandem was used here, counted from the logs; it leaves this machine no other way',
    access: 'token',
    query: StatsQuery,
    status: 200,
    answer: Stats,
  },
} as const satisfies Record<string, Route>
