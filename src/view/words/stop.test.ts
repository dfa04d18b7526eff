import { expect, test } from 'vitest'
import { createLog } from '../../../test/client/logs.ts'
import { viewOf } from '../fold/entries.ts'
import { stopStep, type Pressed } from './stop.ts'

test('[CLIENT38] each press of a terminal’s Stop is a stronger one, and its end says which took effect', () => {
  const log = createLog()
  log.start()
  const start = log.runStart(log.call('make'), 'make')
  const steps: string[] = []
  let pressed: Pressed | null = null
  for (;;) {
    const { label, next, told } = stopStep(viewOf(log.events()), pressed)
    steps.push(`${label}: ${told}`)
    if (next === null) break
    steps.push(next.asks)
    pressed = next.pressed
  }
  expect(steps).toEqual([
    'Stop: null',
    'int',
    'End it: Ctrl+C sent; it still runs. The next step is TERM.',
    'term',
    'Kill it: TERM sent; it still runs. The next step is KILL.',
    'kill',
    'Stop: KILL sent; only a new shell is stronger.',
  ])
  log.runEnd(start, 143)
  expect(stopStep(viewOf(log.events()), pressed)).toEqual({
    label: 'Stop',
    next: null,
    told: 'Stopped by TERM.',
  })
})

test('[CLIENT38] the words of a Stop go with the next run of the terminal, and stay over one beside it', () => {
  const log = createLog()
  log.start()
  const start = log.runStart(log.call('make'), 'make')
  const pressed = stopStep(viewOf(log.events()), null).next?.pressed ?? null
  log.runEnd(start, 130)
  const told = () => stopStep(viewOf(log.events()), pressed).told
  expect(told()).toBe('Stopped by Ctrl+C.')
  log.add({
    type: 'run_start',
    run: 'sh-01900000-0000-4000-8000-00000000beef',
    request: null,
    command: 'beside it',
    source: 'slash',
    lane: 'background',
    private: false,
    generation: 1,
    timeoutMs: 0,
    cwd: '/work',
  })
  // It waits for its turn: nothing has started yet.
  const call = log.call('ls')
  expect(told()).toBe('Stopped by Ctrl+C.')
  const next = log.runStart(call, 'ls')
  expect(told()).toBe(null)
  log.runEnd(next)
  expect(told()).toBe(null)
})
