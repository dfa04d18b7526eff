import { expect, test } from 'vitest'
import type { ProcessRow } from '../../one-shot/process-table.ts'
import { createSessionMembers } from './requests.ts'

function row(pid: number, session: number): ProcessRow {
  return { pid, session, parent: 1, group: pid, state: 'S', startTime: 1 }
}

test('[HOST26] fifty sessions that end at once are looked at once', async () => {
  let looks = 0
  const members = createSessionMembers(() => {
    looks += 1
    return [row(100, 100), row(101, 100), row(103, 103)]
  })
  const sessions = Array.from({ length: 50 }, (_, n) => 100 + n)
  const found = await Promise.all(sessions.map(members))
  expect(looks).toBe(1)
  expect(found.slice(0, 4)).toEqual([[100, 101], [], [], [103]])
})

test('[HOST26] those who ask while others are gathered are looked at with them, and nobody waits for ever', async () => {
  let looks = 0
  let waits = 0
  let isCrowded = false
  const asked: Promise<unknown>[] = []
  const members = createSessionMembers(
    () => {
      looks += 1
      return []
    },
    async () => {
      await Promise.resolve()
      waits += 1
      if (waits < 4 || isCrowded) asked.push(members(waits))
    },
  )
  await members(100)
  await Promise.all(asked)
  expect({ looks, waits }).toEqual({ looks: 1, waits: 4 })
  isCrowded = true
  await members(100)
  expect({ looks, waits }).toEqual({ looks: 2, waits: 12 })
})

test('[HOST26] an answer is about a moment after the question', async () => {
  const living = [row(100, 100)]
  const members = createSessionMembers(() => [...living])
  expect(await members(100)).toEqual([100])
  living.length = 0
  expect(await members(100)).toEqual([])
})

test('[HOST26] where the table cannot be read nobody is told that a session is empty', async () => {
  expect(await createSessionMembers(() => null)(100)).toBeNull()
})
