import { seed } from '../support/seed.ts'

/** A random source that says its seed; `TANDEM_SEED=<n>` repeats a run. */
export interface Random {
  /** For the message of a failure. */
  seed: string
  /** At least 0, below `limit`. */
  below(limit: number): number
  wholeBelow(limit: number): number
}

export function createRandom(name: string, lane = 0): Random {
  if (lane === 0) process.stdout.write(`${name}: TANDEM_SEED=${seed}\n`)
  let state = seed + lane
  // mulberry32
  const unit = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    seed: `TANDEM_SEED=${seed}`,
    below: (limit) => unit() * limit,
    wholeBelow: (limit) => Math.floor(unit() * limit),
  }
}
