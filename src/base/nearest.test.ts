import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const names = ['status', 'stop', 'shell', 'skill', 'skills', 'model', 'title', 'git:commit']

test.each([
  ['shel', ['shell']],
  ['statsu', ['status']],
  ['modle', ['model']],
  ['Model', ['model']],
  ['git', ['git:commit']],
  ['xyzzy', []],
])('[CMD14] for %j the names that may have been meant are told', (typed, expected) => {
  expect(nearest(typed, names)).toEqual(expected)
})

test('[CMD14] a name that is there is the nearest, and at most three are told', () =>
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 12 }), { minLength: 1 }), fc.nat(), (all, pick) => {
      const name = all[pick % all.length] ?? ''
      const near = nearest(name, all)
      expect(near.length).toBeLessThanOrEqual(3)
      if (name.toLowerCase() === name) expect(near.length).toBeGreaterThan(0)
    }),
  ))
