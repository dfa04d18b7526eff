import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAdoption, readCheckpoint, readMove } from './read-requests.ts'
import { readInjection } from './requests.ts'

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const keys = { load: 'a', accept: 'b', restore: 'c', fresh: 'd', names: 'e' }
const shell = { since: '5', reads: 'r', script: 's', keys }
const adoption = {
  level: 1,
  group: 7,
  isCarried: false,
  asks: 'q',
  shells: { bash: shell, zsh: shell, fish: { ...shell, titlesCommands: true } },
}

test('[INJ8] a whole request is read as it was sent', () => {
  const checkpoint = { offset: 1, rows: 2, cols: 3, data: 'x' }
  expect(readCheckpoint(json(checkpoint))).toEqual(checkpoint)
  expect(readMove(json({ folder: '/a', generation: 2 }))).toEqual({ folder: '/a', generation: 2 })
  expect(readAdoption(json(adoption))).toMatchObject(adoption)
})

test('[INJ8] a request of another version, with anything missing or of another kind, is left alone', () =>
  fc.assert(
    fc.property(
      fc.constantFrom('level', 'group', 'isCarried', 'asks', 'shells'),
      fc.jsonValue(),
      (field, value) => {
        const { [field]: _, ...rest } = { ...adoption } as Record<string, unknown>
        expect(readAdoption(json(rest))).toBeNull()
        const changed = readAdoption(json({ ...rest, [field]: value }))
        if (changed !== null) expect(typeof value).toBe(typeof adoption[field as 'level'])
      },
    ),
  ))

test('[INJ8] no bytes make the reading throw', () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const payload = Buffer.from(bytes)
      readInjection(payload)
      expect([readAdoption(payload), readMove(payload), readCheckpoint(payload)]).toEqual([
        null,
        null,
        null,
      ])
    }),
  ))
