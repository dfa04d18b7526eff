import fc from 'fast-check'
import { expect, test } from 'vitest'
import { simulate } from '../../../test/support/simulate.ts'
import { createConversation } from './conversation.ts'

test('[HOST17] a prompt that was taken back is not kept for a step that never comes', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), async (count) => {
      const simulation = simulate('tags')
      await simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
      for (let n = 0; n < count; n += 1) {
        await simulation.happen({ type: 'submit', text: `more ${n}`, as: 'auto' })
        await simulation.happen({ type: 'withdraw', pick: 0 })
      }
      const conversation = createConversation()
      for (const event of simulation.log) conversation.apply(event)
      expect(simulation.state.queue).toEqual([])
      expect(conversation.waiting()).toBe(0)
    }),
    { numRuns: 20 },
  ))
