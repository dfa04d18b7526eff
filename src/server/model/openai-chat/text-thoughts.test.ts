import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReplyPart } from '../../../protocol/events/message.ts'
import { shellTags } from '../../../session/calls/asked.ts'
import { createReplyAssembly } from '../assemble-reply.ts'
import { setupOf } from '../setup.ts'
import { createTextThoughts, rawTextOf } from './text-thoughts.ts'
import { openaiChat, openaiChatStrict } from './wire.ts'

function partsOf(pieces: readonly string[]): readonly ReplyPart[] {
  const texts = createTextThoughts()
  const assembly = createReplyAssembly()
  for (const piece of pieces) for (const delta of texts.add(piece)) add(delta)
  for (const delta of texts.end()) add(delta)
  return assembly.parts()

  function add(delta: Parameters<typeof assembly.add>[0] | { type: 'end' }): void {
    if (delta.type !== 'end') assembly.add(delta)
  }
}

const word = fc.constantFrom(
  ...['think', 'thinking', 'thought'].flatMap((name) => [`<${name}>`, `</${name}>`]),
  '<',
  '</',
  'think>',
  '`',
  '```\n',
  '\n',
  ' ',
  'a',
  '<shell>ls</shell>',
)
const cut = fc.array(word, { maxLength: 12 }).chain((words) => {
  const text = words.join('')
  return fc
    .uniqueArray(fc.nat(text.length), { maxLength: 8 })
    .map((at) => ({ text, cuts: [0, ...at, text.length].toSorted((a, b) => a - b) }))
})
const pieces = cut.map(({ text, cuts }) => ({
  text,
  pieces: cuts.slice(1).map((to, index) => text.slice(cuts[index], to)),
}))

test('[MODEL61] thoughts in a text do not depend on how it was cut, and every byte of it is kept', () =>
  fc.assert(
    fc.property(pieces, (drawn) => {
      const parts = partsOf(drawn.pieces)
      expect(parts).toEqual(partsOf([drawn.text]))
      expect(rawTextOf(parts)).toBe(drawn.text)
    }),
    { numRuns: 2_000 },
  ))

const reply = '<think>\nmaybe <shell>rm x</shell>\n</think>\n\n<shell>ls</shell>'

test('[MODEL3] a thought in the text goes back byte for byte to the model that had it, and to no other', () => {
  const block = { kind: 'reply', seq: 1, adapter: 'openai-chat', model: 'mine/m' } as const
  const parts = partsOf([reply])
  expect(parts.map(({ type }) => type)).toEqual(['thinking', 'text'])
  const said = (model: string) => {
    const setup = setupOf({ model, adapter: 'openai-chat', dialect: 'tags' })
    const messages = [openaiChat, openaiChatStrict].map((wire) =>
      wire.reply({ ...block, parts }, setup),
    )
    return messages.flat().map((message): unknown => JSON.parse(message))
  }
  const message = (content: string) => ({ role: 'assistant', content })
  expect(said('mine/m')).toEqual([message(reply), message(reply)])
  expect(said('other/m')).toEqual([message('<shell>ls</shell>'), message('<shell>ls</shell>')])
})

test.each([
  ['no thought', 'a <shell>ls</shell>', ['text']],
  ['one whose beginning is not marked', 'hm\n</think>\n\nHi', ['thinking', 'text']],
  ['one that is all there is', 'hm</think>', ['thinking']],
  ['one without an end', '<think>hm', ['thinking']],
  ['an empty one', '<think>\n\n</think>\n\nHi', ['text', 'text']],
  ['a tag that is spoken of', 'It ends with `</think>`.', ['text']],
  ['a tag in code', 'So:\n```\nhm\n</think>\n```\n', ['text']],
])('[MODEL61] a text with %s is read as that', (_, text, types) => {
  expect(partsOf([text]).map(({ type }) => type)).toEqual(types)
})

// Whatever the wire: other protocols leave such a thought in the text.
test.each([
  reply,
  'maybe <shell>rm x</shell></think><shell>ls</shell>',
  '<thought>maybe <shell>rm x</shell></thought><shell>ls</shell>',
  'Well.\n<think>`maybe\n\n<shell>rm x</shell></think>\n<shell>ls</shell>',
  '<think>a</think>b <shell>rm x</shell> c</think>\n<shell>ls</shell>',
])('[LOOP7] a tag in a thought asks for nothing: %j', (text) => {
  expect(shellTags(text)).toEqual([{ kind: 'command', command: 'ls', timeoutMs: null }])
})

test.each([
  '<think>maybe <shell>rm x</shell>',
  'Hm.\n<think>\nmaybe\n\n<shell>rm x</shell>',
  '<shell>rm x</shell> was a bad idea.\n</think>\n\nHello',
])('[LOOP7] a thought without an end, or without a beginning, asks for nothing: %j', (text) => {
  expect(shellTags(text)).toEqual([])
})
