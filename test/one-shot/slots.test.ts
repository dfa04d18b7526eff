import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../../src/protocol/limits.ts'
import { createOneShots } from '../../src/server/one-shot/one-shots.ts'
import { createSlots, createTeamSlots, type Release } from '../../src/server/one-shot/slots.ts'
import { openPlace } from './support/one-shot.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('[ONE40] never more than the slots have places, and places go in the order they were asked for', async () => {
  const step = fc.record({ kind: fc.constantFrom('take', 'release', 'abort'), pick: fc.nat() })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.array(step), async (places, steps) => {
      const slots = createSlots(places)
      const held: Release[] = []
      const asked: AbortController[] = []
      const granted: number[] = []
      for (const { kind, pick } of steps) {
        if (kind === 'take') {
          const controller = new AbortController()
          const own = asked.push(controller) - 1
          void slots.take(controller.signal).then((release) => {
            if (release) held.push(release)
            if (release) granted.push(own)
          })
        } else if (kind === 'release') held.shift()?.()
        else asked[pick % Math.max(1, asked.length)]?.abort()
        await turn()
        expect(held.length).toBeLessThanOrEqual(places)
        if (slots.waiting() > 0) expect(held.length).toBe(places)
      }
      expect(granted).toEqual(granted.toSorted((a, b) => a - b))
    }),
  )
})

test('[ONE40] a team runs 8 at once, the rest in order, and another team is not held up', async () => {
  const place = openPlace()
  const slotsOf = createTeamSlots(limits.oneShotsAtOnce)
  const open = (team: string) =>
    createOneShots({
      folder: `${place.folder}/${team}`,
      workspace: place.folder,
      shell: 'bash',
      env: { PATH: process.env['PATH'] ?? '' },
      slots: slotsOf(team),
      limit: (file, args) => ({ file, args, cgroup: null }),
      diagnose: () => undefined,
    })
  const order = (n: number, command: string) => ({
    id: `sh-00000000-0000-0000-0000-${String(n).padStart(12, '0')}`,
    command,
    cwd: null,
    timeoutMs: 0,
  })
  const started: number[] = []
  let reached: () => void = () => undefined
  const full = new Promise<void>((resolve) => {
    reached = resolve
  })
  const watch = (n: number, signal = new AbortController().signal) => ({
    signal,
    onOutput: () => undefined,
    onTimeout: () => undefined,
    onStatus(status: string) {
      if (status === 'running') started.push(n)
      if (started.length === 8) reached()
    },
  })
  const team = open('a')
  // They run until the file is there, which the other team's command makes.
  const untilGo = 'until [ -e go ]; do read -t 0.02 <> <(:); done; true'
  const runs = Array.from({ length: 20 }, (_, n) => team.run(order(n, untilGo), watch(n)))
  const queued = new AbortController()
  const cancelled = team.run(order(20, 'touch never'), watch(20, queued.signal))
  await full
  expect(started.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  queued.abort()
  expect(await cancelled).toMatchObject({
    outcome: 'not_started',
    output: { head: 'The command was not run: it was cancelled while it waited.' },
  })
  const other = await open('b').run(order(21, 'touch go'), watch(21))
  expect(other).toMatchObject({ exitCode: 0 })
  const ends = await Promise.all(runs)
  expect(ends.every((end) => end.exitCode === 0)).toBe(true)
  expect(started.filter((n) => n < 20)).toHaveLength(20)
  expect(started).not.toContain(20)
  place.remove()
})
