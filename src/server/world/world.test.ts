import { expect, test } from 'vitest'
import { emptyWorld } from '../../session/catalogue.ts'
import { factsOf } from './world.ts'

const place = { workspace: '/w', shell: '/bin/bash', dialect: 'tags' } as const

test('[TR18] the model is told the date where the person is, with its zone', () => {
  const at = Date.UTC(2026, 10, 17, 23, 30)
  const facts = (zone: string) => factsOf({ ...place, at, zone, world: emptyWorld, guide: '' })
  expect(facts('Europe/Berlin')).toContain('\ndate: 2026-11-18 (Europe/Berlin, UTC+01:00)')
  expect(facts('America/New_York')).toContain('\ndate: 2026-11-17 (America/New_York, UTC-05:00)')
  expect(facts('UTC')).toContain('\ndate: 2026-11-17 (UTC, UTC+00:00)')
})
