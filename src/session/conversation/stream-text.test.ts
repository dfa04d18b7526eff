import fc from 'fast-check'
import { expect, test } from 'vitest'
import { whole } from '../../base/text.ts'
import { limits } from '../../protocol/limits.ts'
import { commandRecord } from '../append.ts'
import { streamText, withNote } from './stream-text.ts'

const text = fc
  .tuple(fc.constantFrom('', 'a', 'out\n', 'x'.repeat(7)), fc.nat(600))
  .map(([unit, times]) => unit.repeat(times))

test('[TR9] a record keeps stderr under its label, apart from stdout, whatever their lengths', () => {
  fc.assert(
    fc.property(text, text, fc.nat(3_000), (out, err, commandLength) => {
      const command = 'c'.repeat(commandLength)
      const streams = { stdout: whole(out), stderr: whole(err) }
      const record = commandRecord(command, streamText(command, streams), 'exit 1; run by the user')
      expect(record.length).toBeLessThanOrEqual(limits.recordChars)
      if (err === '') expect(record).not.toContain('[stderr]')
      else expect(record.split('[stderr]\n')).toHaveLength(2)
      const [first = '', second = ''] = record.split('[stderr]\n')
      // Each stream shows how it begins, and says by itself what it left out.
      if (err !== '') expect(second.startsWith(err.slice(0, 20).trimEnd())).toBe(true)
      if (out !== '') expect(first.includes(out.slice(0, 20).trimEnd())).toBe(true)
      const fits = out.length + err.length + Math.min(commandLength, 600) < 1_600
      if (fits && commandLength <= 600) expect(record).not.toContain('left out')
    }),
  )
})

test('[TR9] a note stands on a line of its own behind the output', () => {
  expect(withNote(whole(''), 'ended').head).toBe('[ended]\n')
  expect(withNote(whole('a'), 'ended').head).toBe('a\n[ended]\n')
  expect(withNote({ head: 'a', tail: 'z\n', omittedChars: 3 }, 'ended')).toEqual({
    head: 'a',
    tail: 'z\n[ended]\n',
    omittedChars: 3,
  })
})
