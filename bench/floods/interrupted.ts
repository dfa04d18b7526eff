import { ms, percentile, type Row } from '../stats.ts'
import { openWorld, timed } from './world.ts'

const rounds = 200
/** Output that has come before the interrupt: the flood is at its height. */
const runningChars = 5_000_000

/** Ctrl+C while a command prints as fast as it can, from the request to the run's end at the client. */
export async function floodInterrupted(): Promise<readonly Row[]> {
  const world = await openWorld()
  const { session } = world
  const samples: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const ends = session.all('run_end').length
    const { first } = await session.send('!yes the quick brown fox jumps over the lazy dog')
    const isFlooding = ({ output }: { output?: { offset: number } | undefined }) =>
      (output?.offset ?? 0) > runningChars
    await session.untilDelta(
      (delta) => delta.type === 'tool_update' && delta.request === first && isFlooding(delta),
    )
    samples.push(
      await timed(async () => {
        await session.interrupt()
        await session.until('run_end', ends + 1)
      }),
    )
  }
  await world.close()
  return [
    {
      what: 'Ctrl+C under flood, request to end, p99',
      figure: ms(percentile(samples, 0.99)),
      beside: `n = ${rounds}, p50 ${ms(percentile(samples, 0.5))}, to reach ≤ 100 ms`,
    },
  ]
}
