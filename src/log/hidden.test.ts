import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../protocol/limits.ts'
import { hiddenAfterRun, hiddenAtShell, hiddenByMode } from './evolve-shell.ts'
import type { Hidden } from './state.ts'

const base = { v: 1, seq: 1, at: 1, by: { kind: 'user' } } as const
const update = (on: boolean, ptyAt: number) =>
  ({ ...base, type: 'session_update', private: on, ptyAt }) as const

/** Something printed this many bytes, in the terminal of one session. */
const happening = fc.record({
  what: fc.oneof(
    { weight: 99, arbitrary: fc.constantFrom('run', 'private', 'kept', 'typed', 'mode', 'shell') },
    // Rare: it hides all that was before it.
    { weight: 1, arbitrary: fc.constant('lost') },
  ),
  bytes: fc.integer({ min: 0, max: 9 }),
})

interface World {
  hidden: Hidden
  private: boolean
  head: number
  secrets: { from: number; to: number }[]
}

function run(
  world: World,
  isPrivate: boolean,
  shown?: { from: number; to: number | null },
): Hidden {
  const end = { ptyFrom: world.head, ptyTo: world.head, ...(shown && { shown }) }
  return hiddenAfterRun(world, { private: isPrivate }, { outcome: 'ended', ...end })
}

function happen(world: World, { what, bytes }: { what: string; bytes: number }): World {
  const from = world.head
  const to = from + bytes
  const noted = { ...world, head: to, secrets: [...world.secrets, { from, to }] }
  switch (what) {
    case 'run':
      return { ...world, hidden: run(world, false), head: to }
    case 'private':
      return { ...noted, hidden: run(world, true, { from, to }) }
    case 'kept':
      return { ...noted, hidden: run(world, true, { from, to: null }) }
    case 'lost': {
      const end = { outcome: 'lost', ptyFrom: null, ptyTo: null } as const
      return { ...noted, hidden: hiddenAfterRun(world, { private: true }, end) }
    }
    case 'typed':
      return world.private ? noted : { ...world, head: to }
    case 'mode': {
      const hidden = hiddenByMode(world, update(!world.private, from))
      return { ...world, hidden, private: !world.private }
    }
    default:
      return { ...world, hidden: hiddenAtShell(world, { ptyFrom: from }) }
  }
}

const covers = (hidden: Hidden, { from, to }: { from: number; to: number }) =>
  from === to || hidden.some((range) => range.from <= from && range.to >= to)

test('[TERM117] whatever happens, all that is private is hidden, in a bounded list', () => {
  const many = fc.array(happening, { maxLength: limits.hiddenRanges * 3, size: 'max' })
  fc.assert(
    fc.property(many, (happenings) => {
      const start: World = { hidden: [], private: false, head: 1, secrets: [] }
      const end = happenings.reduce(happen, start)
      expect(end.secrets.filter((secret) => !covers(end.hidden, secret))).toEqual([])
      expect(end.hidden.length).toBeLessThanOrEqual(limits.hiddenRanges)
    }),
    { numRuns: 60 },
  )
})

test('[TERM117] what is printed after something private can be read again', () => {
  const after = (...list: { what: string; bytes: number }[]) =>
    list.reduce(happen, { hidden: [], private: false, head: 1, secrets: [] }).hidden
  const run = { what: 'run', bytes: 5 }
  expect(after(run, { what: 'private', bytes: 3 }, run)).toEqual([{ from: 6, to: 9 }])
  expect(after(run, { what: 'kept', bytes: 3 }, run)).toEqual([{ from: 6, to: 9 }])
  expect(after(run, { what: 'lost', bytes: 3 }, run)).toEqual([{ from: 0, to: 9 }])
  const mode = { what: 'mode', bytes: 0 }
  expect(after(run, mode, { what: 'typed', bytes: 4 }, mode, run)).toEqual([{ from: 6, to: 10 }])
  expect(after({ what: 'lost', bytes: 3 }, { what: 'shell', bytes: 0 })).toEqual([
    { from: 0, to: 4 },
  ])
})
