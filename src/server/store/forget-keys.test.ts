import { expect, test } from 'vitest'
import { limits } from '../../protocol/limits.ts'
import { forgetKeys } from './sqlite.ts'
import { createMemoryStore } from './memory.ts'
import { simulate } from '../../../test/support/simulate.ts'

test('[STORE4] keys are forgotten while the server runs, and not only when it starts', async () => {
  const store = createMemoryStore()
  const id = '00000000-0000-7000-8000-000000000000'
  const [first] = simulate('tags').log
  await store.append(id, 0, { events: [first!], key: 'once' })
  let now = first!.at
  let looked = 0
  const secondLook = new Promise<void>((resolve) => {
    const stop = forgetKeys({
      store: {
        async forgetKeys(before) {
          await store.forgetKeys(before)
          looked += 1
          if (looked === 1) now += (limits.keyDays + 1) * 86_400_000
          if (looked < 2) return
          stop()
          resolve()
        },
      },
      clock: () => now,
      diagnose: () => undefined,
      everyMs: 1,
    })
  })
  expect(await store.findKey(id, 'once')).toMatchObject({ head: 1 })
  await secondLook
  expect(await store.findKey(id, 'once')).toBeNull()
})
