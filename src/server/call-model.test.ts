import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noUsage } from '../log/state.ts'
import { shellTags } from '../session/shell-tags.ts'
import { catalogue } from '../../test/support/simulate.ts'
import { callModel } from './call-model.ts'
import { type Model, ModelError, type ReplyPart } from './model/model.ts'

const { setup } = catalogue

function scripted(reply: () => AsyncIterable<ReplyPart>): Model {
  return { setup, reply }
}

async function call(model: Model, onText: (text: string) => void = () => undefined) {
  const { signal } = new AbortController()
  return callModel({ model, request: { setup, parts: [] }, signal, onText })
}

const tags = ['<shell>', '</shell>', '`', '```\n', '\n', 'ls', '\u2028', '👩‍💻', '\ud83d']

test('[LOOP14] however a reply is cut into pieces, its text and its commands are the same', async () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constantFrom(...tags), fc.string())),
      fc.array(fc.nat()),
      async (words, cuts) => {
        const text = words.join('')
        const places = cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b)
        const edges = [0, ...places, text.length]
        const pieces = edges.slice(1).map((end, index) => text.slice(edges[index], end))
        let shown = ''
        const ending = await call(
          scripted(async function* () {
            for (const piece of pieces) yield { type: 'text', text: piece }
            yield { type: 'end', stop: 'done', usage: noUsage }
          }),
          (piece) => {
            shown += piece
          },
        )
        expect(ending).toEqual({ text, stop: 'done', calls: [], usage: noUsage })
        expect(shown).toBe(text)
        expect(shellTags(ending.text)).toEqual(shellTags(text))
      },
    ),
    { numRuns: 300 },
  ))

test('[LOOP15] a reply that fails keeps what had come, and says why', async () => {
  const ending = await call(
    scripted(async function* () {
      yield { type: 'text', text: 'half' }
      throw new ModelError('no more', { code: 'model_overloaded', retryAfterMs: 2_000 })
    }),
  )
  expect(ending).toEqual({
    text: 'half',
    stop: 'failed',
    calls: [],
    usage: noUsage,
    error: { code: 'model_overloaded', message: 'no more', fatal: false, retryAfterMs: 2_000 },
  })
})

test('[LOOP16] a reply that ends without an end is cut off, not empty', async () => {
  const ending = await call(
    scripted(async function* () {
      yield { type: 'text', text: 'so' }
    }),
  )
  expect(ending).toMatchObject({ text: 'so', stop: 'failed', error: { code: 'model_cut' } })
})
