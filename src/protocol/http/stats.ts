import { z } from 'zod'
import { RunSource } from '../events/run.ts'
import { At } from '../events/seq.ts'
import { TeamName } from '../events/session.ts'
import { Spent } from '../events/turn.ts'
import type { Route } from './route.ts'

const count = z.number().int().nonnegative()
/** From 0 to 1; null where there is nothing to take a part of. */
const share = z.number().min(0).max(1).nullable()

/** Milliseconds that half, and all but one in twenty, stay within; null where nothing was measured. */
export const Spread = z.object({ runs: count, p50: count.nullable(), p95: count.nullable() })
export type Spread = z.infer<typeof Spread>

/** The use of Tandem on this machine, counted from its logs, without the arguments of any command. */
export const Stats = z.object({
  team: TeamName.nullable(),
  /** The last so many days; null: since the beginning. */
  days: count.nullable(),
  /** The times of the first and the last event that is counted. */
  first: At.nullable(),
  last: At.nullable(),
  sessions: z.object({
    total: count,
    /** With at least one command behind `!`, `!!` or `!?`. */
    usingBang: count,
    bangShare: share,
  }),
  runs: z.object({
    total: count,
    perSession: z.number().nonnegative().nullable(),
    bySource: z.array(
      z.object({ source: RunSource, runs: count, sessions: count, perSession: z.number() }),
    ),
    private: count,
    /** Runs whose end is known, and those of them that did not end well. */
    ended: count,
    failed: count,
    failureRate: share,
  }),
  overhead: z.object({
    /**
     * From the accepted call to the start of its run, of runs that waited neither for a person's answer
     * nor for another run.
     */
    start: Spread,
    /** From the start of a run to its answer, without the time that the command itself took. */
    end: Spread,
  }),
  /** Names only, of runs that were not private; the most used first. */
  programs: z.array(z.object({ name: z.string(), runs: count })),
  skills: z.array(z.object({ name: z.string(), uses: count })),
  /** The models that were used, the most used first: tokens as their providers counted them, and money where it is known. */
  models: z.array(Spent).default([]),
})
export type Stats = z.infer<typeof Stats>

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
    query: StatsQuery,
    answer: Stats,
  },
} as const satisfies Record<string, Route>
