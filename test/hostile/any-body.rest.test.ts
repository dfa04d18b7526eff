import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { z } from 'zod'
import type { Route } from '../../src/protocol/http/route.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { ask, expectRefused, headersOf, json, type Row } from './request.ts'
import { pathOf } from './route-faults.ts'
import { routeRows, type RouteRows } from './route-rows.ts'
import { openWitness, type Witness } from './witness.ts'

let witness: Witness
let rows: RouteRows

beforeAll(async () => {
  witness = await openWitness()
  rows = await routeRows(witness)
})

afterAll(() => witness.close())

const writing = Object.entries<Route>(routes).filter(([, { method }]) => method !== 'GET')

test.each(writing)('[BAD7] %s: any body that is not its own is refused', async (name, route) => {
  const row = rows[name as keyof RouteRows]
  const keys = Object.keys(Object(row.body))
  const schema = route.body ?? z.strictObject({})
  const body = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    // Its own keys, with anything behind them.
    fc.dictionary(fc.constantFrom(...keys, 'other'), fc.jsonValue({ maxDepth: 2 })),
  )
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      fc.pre(!schema.safeParse(value).success)
      const sent: Row = {
        name: `${name}: ${JSON.stringify(value)}`,
        method: route.method,
        path: pathOf({ name, route, row }),
        headers: headersOf(witness, ...json),
        body: JSON.stringify(value),
      }
      expectRefused(witness, sent, await ask(witness, sent))
    }),
    { numRuns: 100 },
  )
  await witness.check(name)
})
