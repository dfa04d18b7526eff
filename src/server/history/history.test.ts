import { expect, test } from 'vitest'
import { limits } from '../../protocol/limits.ts'
import { createHistory } from './history.ts'

test('[HIST1] of a team’s inputs the newest are kept, and no more are asked for', async () => {
  const asked: number[] = []
  const all = Array.from({ length: limits.pastInputs + 10 }, (_, at) => ({
    session: 's',
    seq: at + 1,
    kind: 'chat' as const,
    text: `input ${at}`,
    at,
  }))
  const history = createHistory({
    async inputs(_, limit) {
      asked.push(limit)
      // A store that gives more than it was asked for.
      return all
    },
  })
  const kept = await history.past('default', 'chat')
  expect(asked).toEqual([limits.pastInputs])
  expect(kept).toHaveLength(limits.pastInputs)
  expect(kept[0]?.text).toBe(`input ${all.length - 1}`)
})
