import { percentile, type Row, times } from '../stats.ts'
import { openLaneClient } from './lane-client.ts'
import { rawRead } from './raw-read.ts'
import { openWorld, timed } from './world.ts'

const megabytes = 200
const rounds = 3

/** A flood to a tab that looks at the terminal and follows the session, beside a bare read of it. */
export async function floodToSocket(): Promise<readonly Row[]> {
  const world = await openWorld()
  const { server, session, flood } = world
  const client = await openLaneClient(server, session.id)
  const raw: number[] = []
  const ours: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    raw.push(await rawRead(flood(megabytes)))
    const last = `flood-${round}-over`
    ours.push(
      await timed(async () => {
        const seen = client.untilEnd(`${last}\r\n`)
        await session.send(`!${flood(megabytes)}; printf '%s-%s-%s\\n' flood ${round} over`)
        await seen
      }),
    )
  }
  // What was skipped was not brought; line ends make it a little more than was asked for.
  const share = Math.min(1, client.received() / (rounds * megabytes * 1e6))
  const rate = (percentile(raw, 0.5) / percentile(ours, 0.5)) * share
  client.close()
  await world.close()
  return [
    {
      what: `${megabytes} MB to a socket client, against a raw pty read`,
      figure: times(rate),
      beside: `${mbps(raw)} raw, to reach ≥ 0.55 ×; ${(share * 100).toFixed(0)} % of it received, ${client.jumps()} jumps`,
    },
  ]
}

function mbps(samples: readonly number[]): string {
  return `${((megabytes * 1_000) / percentile(samples, 0.5)).toFixed(0)} MB/s`
}
