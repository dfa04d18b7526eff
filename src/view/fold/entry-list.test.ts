import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { append, change, eachEntry, entryAt, findEntry, noEntries } from './entry-list.ts'
import type { PromptEntry } from './entry.ts'

const prompt = (seq: number, text = 'x'): PromptEntry => ({
  kind: 'prompt',
  seq,
  at: 0,
  by: { kind: 'user' },
  text,
  state: 'sent',
})

test('[VIEW1] the entry list is an array that never changes under those who hold it', () =>
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 900 }),
      fc.array(fc.nat(), { maxLength: 10 }),
      (steps, picks) => {
        let list = noEntries
        let plain: PromptEntry[] = []
        let seq = 0
        for (const step of steps) {
          seq += step
          list = append(list, prompt(seq))
          plain.push(prompt(seq))
        }
        const kept = list
        const original = plain
        for (const pick of picks) {
          const at = pick % (plain.length + 1)
          const target = plain[at]?.seq ?? seq + 1
          list = change(list, target, () => prompt(target, 'changed'))
          plain = plain.map((entry) => (entry.seq === target ? prompt(target, 'changed') : entry))
          expect(findEntry(list, target)).toEqual(plain[at])
          expect(entryAt(list, at)).toEqual(plain[at])
        }
        expect([...eachEntry(list)]).toEqual(plain)
        expect([...eachEntry(kept)]).toEqual(original)
        expect(list.length).toBe(plain.length)
      },
    ),
  ))
