import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LineWorld } from '../../../test/support/line-world.ts'
import { hear } from './hear.ts'
import { keysMode, wakesAt } from './select.ts'
import { startInjection } from './state.ts'

/** With six properties more than ten thousand histories. */
const runs = Number(process.env['TANDEM_HISTORIES'] ?? 2_000)

/** Each number is a step: what happens, and how. The first says whether the kernel tells who reads. */
const histories = fc.tuple(
  fc.boolean(),
  fc.array(fc.nat(1_000_000), { minLength: 30, maxLength: 80 }),
)

function play([isBlind, history]: readonly [boolean, readonly number[]]): LineWorld {
  const world = new LineWorld(isBlind)
  for (const choice of history) world.step(choice)
  world.rest()
  return world
}

function forAny(holds: (world: LineWorld) => void): void {
  fc.assert(
    fc.property(histories, (history) => {
      holds(play(history))
    }),
    { numRuns: runs },
  )
}

const twice = (ids: readonly string[]) => ids.filter((id, at) => ids.indexOf(id) !== at)

test('[INJ7] random histories reach what the properties are about', () => {
  const seen = new Map<string, number>()
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  for (const history of fc.sample(histories, { numRuns: 1_000, seed: 16 })) {
    const { trace } = play(history)
    for (const effect of trace.effects) {
      count(effect.type)
      if (effect.type === 'press') count(effect.key)
      if (effect.type !== 'tell') continue
      count(effect.told.type)
      if (effect.told.type === 'uninjected') count(effect.told.uninjected.reason)
    }
    if (trace.accepted.some(({ attempt }) => attempt > 1)) count('again')
  }
  const rare = [...seen].filter(([, times]) => times < 3)
  expect(rare).toEqual([])
  expect([...seen.keys()].toSorted()).toEqual(
    [
      'accept',
      'again',
      'another command is being entered',
      'forget',
      'fresh',
      'interrupt',
      'it was stopped before the shell took it',
      'late',
      'load',
      'look',
      'paste',
      'pasted',
      'press',
      'restore',
      'scrub',
      'settled',
      'tell',
      'the line editor does not know our keys',
      'the shell did not take it',
      'the shell does not answer',
      'the shell is not as it was when this was allowed',
      'the shell it was for has ended',
      'uninjected',
    ].toSorted(),
  )
})

describe('for any history of a line editor and those who use it', () => {
  test('[INJ1] an order is run once or told as not run once, never both', () => {
    forAny(({ trace }) => expect(twice([...trace.executed, ...trace.uninjected])).toEqual([]))
  })

  test('[INJ2] a command that was taken back or given up is not accepted, and not left in the line for a person’s Enter', () => {
    forAny(({ trace }) => {
      expect(trace.acceptedLate).toEqual([])
      expect(trace.strays).toEqual([])
    })
  })

  test('[INJ3] only the newest attempt is accepted', () => {
    forAny(({ trace }) => {
      for (const { attempt, newest } of trace.accepted) expect(attempt).toBe(newest)
    })
  })

  test('[INJ4] keys are not open while the shell has not read a load key', () => {
    forAny(({ trace }) => expect(trace.openBehindLoad).toBe(0))
  })

  test('[INJ5] a command with a stamp is handed over only where nothing was executed since, in the same folder', () => {
    forAny(({ trace }) => {
      const handed = trace.handedOver.filter(({ isStamped }) => isStamped)
      expect(handed.filter(({ hasMoved }) => hasMoved)).toEqual([])
    })
  })

  test('[INJ6] when the shell answers, everything comes to rest: idle, keys open, each order answered', () => {
    forAny((world) => {
      if (world.isGone) return
      expect(world.left()).toEqual({ phase: 'idle', mode: 'open', line: 'person' })
      const { orders, executed, uninjected } = world.trace
      const answered = [...executed, ...uninjected].toSorted()
      expect(answered).toEqual(orders.map(({ id }) => id).toSorted())
    })
  })
})

test('[INJ6] a shell that tells neither start nor end has the keys once its line is drawn anew, and its own line at the next prompt', () => {
  const place = { stamp: 0, cwd: '' }
  const mark = (kind: string, ...fields: string[]) =>
    ({ type: 'mark', kind, fields, place, now: 0 }) as const
  const command = Buffer.from('cat')
  const rights = { model: false, asFile: false, private: false, stamp: null }
  let state = startInjection({ pid: 7, alwaysBrackets: false, takesFiles: true, patience: 1 })
  const after = (heard: Parameters<typeof hear>[1]) => {
    const step = hear(state, heard)
    state = step.state
    return { mode: keysMode(state), effects: step.effects }
  }
  after({ type: 'order', injection: { id: 'a', command, ...rights }, place, now: 0 })
  expect(after(mark('I', 'a', '41', '1'))).toEqual({
    mode: 'shut',
    effects: [{ type: 'press', key: 'accept' }],
  })
  expect(after(mark('B', '0', '7'))).toEqual({ mode: 'spare', effects: [] })
  expect(after(mark('B', '0', '7'))).toEqual({
    mode: 'open',
    effects: [{ type: 'press', key: 'restore' }],
  })
})

test('[INJ6] a shell around that says nothing of keys that were left to it is rid of them all the same', () => {
  const shell = { pid: 7, alwaysBrackets: false, takesFiles: true, patience: 1 }
  const place = { stamp: 0, cwd: '/' }
  const injection = { id: 'a', model: false, asFile: false, private: false, stamp: null }
  let now = 0
  const order = () => ({
    type: 'order' as const,
    injection: { ...injection, command: Buffer.from('ls') },
    place,
    now,
  })
  let { state } = hear(startInjection(shell), { type: 'littered', now })
  expect(hear(state, order()).effects).toMatchObject([{ type: 'tell' }])
  const pressed: string[] = []
  /** Looks whenever it wants to be told the time, for so long. */
  const wait = (ms: number, reads: boolean) => {
    for (const end = now + ms; wakesAt(state) <= end;) {
      now = wakesAt(state)
      const asked = hear(state, { type: 'time', now })
      expect(asked.effects).toEqual([{ type: 'look' }])
      const step = hear(asked.state, { type: 'looked', reads, now })
      for (const effect of step.effects) if (effect.type === 'press') pressed.push(effect.key)
      state = step.state
    }
  }
  // A program goes on in it, which is not to be ended.
  wait(60_000, false)
  expect(pressed).toEqual([])
  wait(10_000, true)
  expect(pressed).toEqual(['interrupt'])
  expect(hear(state, order()).effects).toMatchObject([{ type: 'load' }])
})
