import fc from 'fast-check'
import { expect, test } from 'vitest'
import { skipLead } from './skip-lead.ts'

function pass(pieces: readonly string[]) {
  const seen: string[] = []
  let clean = ''
  const heard = {
    text: (bytes: Buffer) => {
      clean += bytes.toString('latin1')
    },
    mark: (kind: string) => void seen.push(`${kind}@${clean.length}`),
  }
  const sink = skipLead(heard, () => true)
  sink.mark('C', [], 0)
  for (const piece of pieces) sink.text(Buffer.from(piece, 'latin1'))
  sink.mark('D', [], 0)
  return { clean, seen }
}

const title = '\x1b[?2004l\x1b]0;make ~\x07\x1b[30m\x1b(B\x1b[m\r'

test('[TERM30] output starts behind the title that fish writes, wherever the stream is cut', () => {
  const output = fc.constantFrom('', 'x', '\x1b[31mred', '\r\n', '\x1b]0;own\x07', 'a\x1b')
  fc.assert(
    fc.property(fc.constantFrom(title, ''), output, fc.nat(60), (lead, said, cut) => {
      const whole = lead + said
      const { clean, seen } = pass([whole.slice(0, cut), whole.slice(cut)])
      expect(clean).toBe(whole)
      expect(seen.map((mark) => mark[0])).toEqual(['C', 'D'])
      if (lead !== '') expect(seen[0]).toBe(`C@${lead.length}`)
    }),
    { numRuns: 500 },
  )
})

test('an endless title is output', () => {
  const endless = `\x1b]0;${'x'.repeat(9000)}`
  expect(pass([endless])).toEqual({ clean: endless, seen: ['C@0', 'D@9004'] })
})
