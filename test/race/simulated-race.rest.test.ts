import { expect, test } from 'vitest'
import { playRaces } from './support/race-property.ts'
import { openRaceWorld, type RaceWorld } from './support/race-world.ts'

test('[APP60] in any order of keys, marks, judgements and answers a model’s command runs once, as allowed, in the state that was judged', async () => {
  const tally = await playRaces(500)
  for (const name of ['allowed', 'approved', 'ruled', 'ofFolder', 'rest'] as const)
    expect(tally[name], name).toBeGreaterThan(5)
  expect(tally.needless, 'needless').toBeLessThan(tally.voided)
})

/** The model's `pwd` is judged, and nobody has heard of it yet. */
async function judged(): Promise<RaceWorld> {
  const world = await openRaceWorld()
  await world.step({ type: 'run', text: 'true' })
  await world.settle()
  await world.step({ type: 'prompt' })
  await world.step({ type: 'reply', text: '<shell>pwd</shell>' })
  while (world.truth.judged.at(-1)?.report === null)
    await world.step({ type: 'carry', link: 0, times: 1 })
  expect(world.truth.judged.at(-1)?.report?.verdict.decision).toBe('allow')
  return world
}

const ranByModel = ({ truth }: RaceWorld) => truth.executed.filter(({ who }) => who === 'model')
const asked = ({ truth }: RaceWorld) =>
  truth.log.filter(({ event }) => event.type === 'elicitation_request')

test('[APP60] a verdict that nothing came in between of runs the command', async () => {
  const world = await judged()
  await world.settle()
  expect(ranByModel(world)).toHaveLength(1)
})

test('[APP60] a verdict of another mode than the one somebody chose meanwhile counts for nothing: it is judged anew', async () => {
  const world = await judged()
  await world.step({ type: 'mode', approval: 'ask-all' })
  await world.settle()
  expect(ranByModel(world)).toEqual([])
  expect(asked(world)).toHaveLength(1)
})

test('[APP60] a command is judged in the folder that the shell is in, however late the session hears of it', async () => {
  const world = await openRaceWorld()
  await world.step({ type: 'run', text: 'true' })
  await world.settle()
  await world.step({ type: 'prompt' })
  await world.step({ type: 'keys', text: 'cd /tmp' })
  // The terminal has heard it all, and the session nothing.
  await world.settle('terminal')
  await world.step({ type: 'reply', text: '<shell>pwd</shell>' })
  await world.settle('terminal')
  await world.settle()
  expect(ranByModel(world)).toEqual([])
  expect(asked(world).map(({ event }) => event)).toMatchObject([{ cwd: '/tmp' }])
})
