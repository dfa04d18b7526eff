import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { shortIds } from '../find-session.ts'
import { age, sessionTable } from '../commands/sessions.ts'

const hex = fc.stringMatching(/^[0-9a-f]{12,16}$/)

test('[CLI12] an id is shortened to no less than eight letters and never to one that fits two', () =>
  fc.assert(
    fc.property(fc.uniqueArray(hex, { maxLength: 30 }), (ids) => {
      const short = shortIds(ids)
      for (const id of ids) {
        const start = short.get(id) ?? ''
        expect(start.length).toBeGreaterThanOrEqual(8)
        expect(ids.filter((other) => other.startsWith(start))).toEqual([id])
      }
    }),
  ))

test('[CLI12] the list of sessions fits 80 columns, whatever folders and titles are called', () =>
  fc.assert(
    fc.property(
      fc.array(fc.record({ workspace: fc.string(), title: fc.option(fc.string()) }), {
        minLength: 1,
      }),
      (parts) => {
        const sessions = parts.map((part, index) => ({
          ...part,
          id: `01900000-0000-7000-8000-${index}`,
          team: 'default',
          createdAt: 0,
          updatedAt: index * 1_000_000,
          head: 1,
          preview: null,
          live: false,
        }))
        const table = sessionTable(sessions, { now: 1e10, ids: new Map() })
        const lines = table.trimEnd().split('\n')
        expect(lines).toHaveLength(sessions.length + 1)
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
      },
    ),
  ))

test('[CLI12] an age is said in its largest unit', () => {
  expect([0, 59_999, 60_000, 3_599_999, 3_600_000, 86_400_000 * 12].map(age)).toEqual([
    'now',
    'now',
    '1m',
    '59m',
    '1h',
    '12d',
  ])
})
