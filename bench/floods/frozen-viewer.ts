import { percentile, type Row } from '../stats.ts'
import { openLaneClient } from './lane-client.ts'
import { openWorld, timed } from './world.ts'

const megabytes = 50
const rounds = 7

/** A command's time with a tab that opened the terminal and then never reads again, and without it. */
export async function floodPastFrozenViewer(): Promise<readonly Row[]> {
  const world = await openWorld()
  const { server, session, flood } = world
  const watched = await server.session()
  const alone: number[] = []
  const beside: number[] = []
  // Two shells that are equally warm: one alone, one with a new frozen tab each time.
  for (const warm of [session, watched]) await warm.run(flood(megabytes))
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await timed(() => session.run(flood(megabytes))))
    const frozen = await openLaneClient(server, watched.id, { frozen: true })
    beside.push(await timed(() => watched.run(flood(megabytes))))
    frozen.close()
  }
  watched.close()
  await world.close()
  const change = percentile(beside, 0.5) / percentile(alone, 0.5) - 1
  return [
    {
      what: 'a frozen viewer changes a flood’s time by',
      figure: `${(change * 100).toFixed(0)} %`,
      beside: `${megabytes} MB, to reach < 20 %`,
    },
  ]
}
