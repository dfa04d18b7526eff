import { z } from 'zod'
import { RunSource } from './run.ts'
import { At } from './seq.ts'
import { TeamName } from './session.ts'

const count = z.number().int().nonnegative()
/** From 0 to 1; null where there is nothing to take a part of. */
const share = z.number().min(0).max(1).nullable()

/** Milliseconds that half, and all but one in twenty, stay within; null where nothing was measured. */
export const Spread = z.object({ runs: count, p50: count.nullable(), p95: count.nullable() })
export type Spread = z.infer<typeof Spread>

/** How Tandem was used on this machine, counted from its logs. Commands' arguments are in none of it. */
export const Stats = z.object({
  team: TeamName.nullable(),
  /** The last so many days; null: since the beginning. */
  days: count.nullable(),
  /** When the first and the last thing happened that is counted. */
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
})
export type Stats = z.infer<typeof Stats>
