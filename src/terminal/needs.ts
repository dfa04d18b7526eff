import type { Effect } from './effect.ts'
import type { Probe } from './idle.ts'
import { pauseLimit } from './limit.ts'
import { type Need, readsItself } from './reads-itself.ts'
import type { Run, RunStep } from './run.ts'
import { isLikelyOver, type Track } from './track.ts'

/** What the foreground program does, as the kernel tells it. */
export interface Foreground {
  readonly state: 'running' | 'waiting' | 'secret' | 'raw' | 'prompt' | 'unknown'
  readonly program: string
  readonly replaced: Probe['replaced']
}

export function needOf(run: Run, track: Track, foreground: Foreground): Need {
  const { state, program, replaced } = foreground
  if (state === 'waiting' || state === 'secret') return state
  if (state === 'prompt') return ownNeed(run, track, { name: program, replaced })
  return state === 'raw' ? 'screen' : null
}

/** The kernel sees no difference between a prompt and an edited `read`. */
export function ownNeed(
  { order }: Run,
  track: Track,
  reader: { name: string; replaced: Probe['replaced'] },
): Need {
  return isLikelyOver(track) ? null : readsItself({ ...reader, command: order.command })
}

/** The program needs somebody, or does not any more. */
export function runNeeds(run: Run, need: Need, now: number): RunStep {
  if (need === run.need) return { run, effects: [] }
  const { id } = run.order
  const limit = run.limit && pauseLimit(run.limit, need !== null, now)
  const status: Effect = { type: 'status', run: id, status: need ?? 'running' }
  return {
    run: { ...run, need, limit },
    effects: need === null ? [status] : [status, { type: 'waits', run: id, need }],
  }
}
