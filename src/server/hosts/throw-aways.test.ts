import { expect, test } from 'vitest'
import { refused } from '../../base/result.ts'
import { defaultSessionLimits, limits } from '../../protocol/limits.ts'
import { createMemoryStore } from '../store/memory.ts'
import { firstEvents } from './begin-session.ts'
import { createThrowAways } from './throw-aways.ts'

test('[HOST8] of many calls of the stateless route only the last logs stay, and no other session goes', async () => {
  const store = createMemoryStore()
  const add = (at: number, unlisted?: true) => {
    const uuid = `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`
    const options = { workspace: '/work', team: 'default' }
    const begun = { options, approval: 'guarded', limits: defaultSessionLimits, unlisted } as const
    return store.append(uuid, 0, { events: firstEvents({ ...begun, opening: [], at, uuid }) })
  }
  await add(1)
  for (let at = 2; at <= limits.agentLogs + 4; at += 1) await add(at, true)
  const nobody = async () => refused({ code: 'bad_request', message: '' } as const)
  const { calls } = createThrowAways({
    store,
    approval: 'guarded',
    workspace: '/work',
    get models(): never {
      throw new Error('no model is asked at an end')
    },
    gather: () => Promise.reject(new Error('nothing is looked at')),
    facts: () => '',
    begin: nobody,
    modeIn: async () => 'guarded',
    hosts: { own: async () => null, get: () => undefined, drop: async () => undefined },
    async remove(id) {
      await store.remove(id)
      return true
    },
  })
  await calls.endThrowAway('any')
  const left = await store.list({ listed: false, limit: 1_000 })
  expect(left).toHaveLength(limits.agentLogs)
  expect(left.at(-1)?.createdAt).toBe(5)
  expect(await store.list({ listed: true, limit: 10 })).toHaveLength(1)
  expect(await store.list({ limit: 1_000 })).toHaveLength(limits.agentLogs + 1)
})
