import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route } from '../../src/protocol/http/route.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { askAll } from './request.ts'
import {
  bodyFaults,
  callerFaults,
  idFaults,
  methodFaults,
  queryFaults,
  type Target,
} from './route-faults.ts'
import { routeRows, type RouteRows } from './route-rows.ts'
import { openWitness, type Witness } from './witness.ts'

let witness: Witness
let rows: RouteRows

beforeAll(async () => {
  witness = await openWitness()
  rows = await routeRows(witness)
})

afterAll(() => witness.close())

test('[BAD7] every route has its row of hostile requests', () => {
  expect(Object.keys(rows).sort()).toEqual(Object.keys(routes).sort())
})

test.each(Object.entries<Route>(routes))(
  '[BAD7] %s refuses hostile requests, and nothing else happens',
  async (name, route) => {
    const row = rows[name as keyof RouteRows]
    const target: Target = { name, route, row }
    for (const faults of [callerFaults, methodFaults, idFaults, queryFaults, bodyFaults]) {
      const made = faults(witness, target)
      if (made.length === 0) continue
      await askAll(witness, made)
      await witness.check(`${name}, ${faults.name}`)
    }
  },
)
