import { expect, test } from 'vitest'
import { simulate } from '../../test/support/simulate.ts'
import { ok } from '../protocol/result.ts'
import { SessionId } from '../protocol/seq.ts'
import { compact } from './compact.ts'
import { createMemoryStore } from './store/memory.ts'

test('[HOST26] one summary always goes on in the same session, so that a server that died in between makes no second one', async () => {
  const simulation = simulate('tags')
  simulation.happen({ type: 'submit', text: 'sum up', as: 'auto' })
  simulation.happen({ type: 'effect', pick: 0, fate: 0, text: 'All is well.' })
  const turn = simulation.log.find(({ type }) => type === 'agent_start')!.seq
  const session = '00000000-0000-7000-8000-000000000000'
  const store = createMemoryStore()
  await store.append(session, 0, { events: simulation.log })
  const again = (at: number) =>
    compact({ store, session, state: simulation.state }, at, async (_options, history, id) => {
      expect(history[0]?.content).toContain('All is well.')
      return ok(SessionId.parse(id))
    })
  const [first, second, other] = [await again(turn), await again(turn), await again(turn - 1)]
  expect(first).toEqual(second)
  expect(first).not.toEqual(other)
})
