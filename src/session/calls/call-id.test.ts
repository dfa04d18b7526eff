import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RawCall } from '../../protocol/events/message.ts'
import { withIds } from './call-id.ts'

const call = (id: string): RawCall => ({ type: 'call', id, name: 'f', args: '{}' })
const ids = (given: readonly string[], step = 7) =>
  withIds(given.map(call), step).map((part) => (part.type === 'call' ? part.id : ''))

test('[MODEL25] of equal ids the later gets one that every provider takes', () => {
  expect(ids(['a', 'a', '', 'b', 'a'])).toEqual(['a', 'c00000701', 'c00000702', 'b', 'c00000704'])
})

test('[MODEL25] whatever ids a reply gives its calls, each gets its own, and the first of equals keeps it', () => {
  const given = fc.array(fc.constantFrom('', 'a', 'b', 'c00000700', 'c00000701', 'c00000702'))
  fc.assert(
    fc.property(given, (all) => {
      const made = ids(all)
      expect(new Set(made).size).toBe(all.length)
      all.forEach((id, index) => {
        if (made[index] !== id) expect(made[index]).toMatch(/^[a-z0-9]{9}$/)
        else expect(id).not.toBe('')
      })
    }),
  )
})
