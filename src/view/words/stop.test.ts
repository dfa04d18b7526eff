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
