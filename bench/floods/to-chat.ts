import { ms, percentile, type Row, times } from '../stats.ts'
import { peakGrowth } from './peak-memory.ts'
import { rawRead } from './raw-read.ts'
import { openWorld, timed } from './world.ts'

const megabytes = 50
const rounds = 5

/** `!` with a flood while one client follows the chat and nobody looks at the terminal. */
export async function floodToChat(): Promise<readonly Row[]> {
  const world = await openWorld()
  const { session, flood, pids } = world
  const raw: number[] = []
  const ours: number[] = []
  const growth: (readonly number[])[] = []
  for (let round = 0; round < rounds; round += 1) {
    raw.push(await rawRead(flood(megabytes)))
    growth.push(
      await peakGrowth(pids, async () => {
        ours.push(await timed(() => session.run(flood(megabytes))))
      }),
    )
  }
  await world.close()
  const most = (index: number) => Math.max(...growth.map((of) => of[index] ?? 0))
  return [
    {
      what: `${megabytes} MB by \`!\`, against a raw pty read`,
      figure: times(percentile(ours, 0.5) / percentile(raw, 0.5)),
      beside: `raw ${ms(percentile(raw, 0.5))}, to reach ≤ 1.3 ×`,
    },
    { what: '  the server grows by at most', figure: mb(most(0)), beside: 'to reach ≤ 50 MB' },
    { what: '  the holder grows by at most', figure: mb(most(1)), beside: 'to reach ≤ 50 MB' },
  ]
}

function mb(kilobytes: number): string {
  return `${(kilobytes / 1024).toFixed(1)} MB`
}
