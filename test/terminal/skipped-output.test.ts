import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openByteLog } from '../../src/holder/output/byte-log.ts'
import { createRunOutput } from '../../src/server/terminal/run/output.ts'
import { tempFolder } from '../support/temp.ts'

test('[RUN14] ∀ whatever the holder skips, each piece is told at its true place', async () => {
  const pieces = fc.array(
    fc.record({
      text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      isSkipped: fc.boolean(),
      cut: fc.nat(200),
      // As a holder does it: while an earlier gap is read, the next one comes.
      isSlow: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(pieces, async (given) => {
      const temp = await tempFolder()
      const log = openByteLog({
        folder: temp.path,
        maxBytes: 1e9,
        runBytes: 1e9,
        onKept: () => {},
      })
      let printed = ''
      let told = 0
      const output = createRunOutput({
        folder: temp.path,
        draw: null,
        sync: async () => log.flush(),
        onOutput(text, skipped = 0) {
          told += skipped
          expect(printed.slice(told, told + text.length)).toBe(text)
          told += text.length
        },
      })
      try {
        for (const { text, isSkipped, cut, isSlow } of given) {
          printed += text
          const from = log.head()
          const bytes = Buffer.from(text)
          log.append(bytes)
          // A cut may be in the middle of a character.
          const at = isSkipped ? cut % (bytes.length + 1) : 0
          if (from > 0 || at === 0) output.add(from + at, bytes.subarray(at))
          else output.add(0, bytes)
          if (isSlow) await new Promise((resolve) => setImmediate(resolve))
        }
        const captured = await output.finish({ from: 0, to: log.head() })
        expect(told).toBe(printed.length)
        expect(captured.omittedChars).toBe(0)
      } finally {
        log.close()
        await temp.remove()
      }
    }),
    { numRuns: 300 },
  )
})
