import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReplyPart } from '../../src/protocol/events/message.ts'
import { anthropicBody } from '../../src/server/model/anthropic/request.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { wireOf } from '../../src/server/model/wires.ts'
import type { Block } from '../../src/session/conversation/conversation.ts'
import { type Body, refusalOf, sign } from './anthropic-rules.ts'
import { anthropic } from './anthropic.ts'
import type { NewPart } from './talk.ts'

const mark = ',"cache_control":{"type":"ephemeral"}'
const wire = wireOf('anthropic')
const setups = (['tags', 'tools'] as const).map((dialect) =>
  setupOf({ model: 'anthropic/claude-test', adapter: 'anthropic', dialect }),
)
const [tags = setups[1]!, tools = tags] = setups

interface Step {
  given: readonly NewPart[]
  said: readonly ReplyPart[]
}

/** The requests of a conversation, in turn. Each answers the calls before it. */
function requests(steps: readonly Step[], setup = tools) {
  const messages: string[] = []
  let sent = 0
  let seq = 0
  let open: readonly NewPart[] = []
  const add = (block: Block) =>
    messages.push(...(block.kind === 'taken' ? wire.taken(block, setup) : wire.reply(block, setup)))
  return steps.map(({ given, said }, step) => {
    const parts = [...open, ...given].map((part) => ({ ...part, seq: ++seq }))
    add({ kind: 'taken', seq: ++seq, parts, gap: false })
    const body = anthropicBody(
      { name: 'claude-test', tells: false },
      { setup, messages: [...messages], sent },
    )
    sent = messages.length
    const reply = said.map((part, index) =>
      part.type === 'call' ? { ...part, id: `${part.id}${step}_${index}` } : part,
    )
    if (reply.length > 0)
      add({
        kind: 'reply',
        seq: ++seq,
        parts: reply,
        adapter: 'anthropic',
        model: 'anthropic/claude-test',
      })
    open = reply.flatMap((part) =>
      part.type === 'call' ? [{ kind: 'record', text: 'r', answers: part } as const] : [],
    )
    return { body, messages: messages.slice(0, sent), reply: messages.slice(sent) }
  })
}

const words = fc.oneof(
  fc.constantFrom('', ' ', '\r\n', '\u0085', 'x', '\ud800', mark, '"messages":[', '\\'),
  fc.string({ unit: 'binary' }),
)
const args = fc.oneof(
  words,
  fc.json(),
  fc.constantFrom(
    '{}',
    ' { "a" : [ ] }\n',
    `{"a":1${mark}}`,
    '{"a":"\\ud83d"}',
    '{"a":{"b":"}]}"}}',
  ),
)
const asked = fc.record({ name: fc.constantFrom('terminal_execute', 'gone'), args })
const given: fc.Arbitrary<NewPart> = fc.oneof(
  fc.record({ kind: fc.constant('prompt' as const), text: words }),
  fc.record({ kind: fc.constant('record' as const), text: words }),
  fc.record({ kind: fc.constant('record' as const), text: words, asked }),
)
const thought = words.map((text) => ({ text: text.replaceAll(/\p{Surrogate}/gu, '?') }))
const said = (hasTools: boolean): fc.Arbitrary<ReplyPart> =>
  fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: words }),
    thought.map(({ text }) => ({
      type: 'thinking' as const,
      text,
      opaque: JSON.stringify({ signature: sign(text) }),
    })),
    fc.record({ type: fc.constant('thinking' as const), text: words }),
    ...(hasTools
      ? [fc.record({ type: fc.constant('call' as const), id: words, name: words, args })]
      : []),
  )
const steps = (hasTools: boolean): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      given: fc.array(given, { minLength: 1, maxLength: 4 }),
      said: fc.array(said(hasTools), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 5 },
  )

test.each([
  ['tools', tools],
  ['tags', tags],
] as const)('[MODEL1] each request extends the last with its reply (%s)', (name, setup) => {
  fc.assert(
    fc.property(steps(name === 'tools'), (list) => {
      let before: readonly string[] = []
      for (const { body, reply } of requests(list, setup)) {
        const items = anthropic.items(body)
        expect(items.slice(0, before.length)).toEqual(before)
        before = [...items, ...reply]
      }
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['tools', tools],
  ['tags', tags],
] as const)('[MODEL1] no request has what Anthropic refuses (%s)', (name, setup) => {
  fc.assert(
    fc.property(steps(name === 'tools'), (list) => {
      for (const { body } of requests(list, setup)) {
        const parsed = JSON.parse(body) as Body
        expect(refusalOf(parsed)).toBe(null)
        expect(parsed.messages.every(({ content }) => Array.isArray(content))).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

test('[MODEL54] cache marks stand at the end of the system prompt, of the last request and of this one', () => {
  const text = (words: string) => ({ type: 'text', text: words }) as const
  const [first, second, third] = requests([
    {
      given: [{ kind: 'prompt', text: 'one' }],
      said: [{ type: 'call', id: 'c', name: 'n', args: '{}' }],
    },
    { given: [{ kind: 'prompt', text: 'two' }], said: [text('yes')] },
    { given: [{ kind: 'prompt', text: 'three' }], said: [] },
  ]).map(({ body }) => JSON.parse(body) as Body)
  const marked = (body: Body | undefined) =>
    body?.messages.flatMap(({ content }, index) =>
      content.flatMap((block, at) => (block.cache_control ? [`${index}.${at}`] : [])),
    )
  const ephemeral = { type: 'ephemeral' }
  expect(first?.system).toEqual([{ type: 'text', text: tools.system, cache_control: ephemeral }])
  expect(marked(first)).toEqual(['0.0'])
  expect(marked(second)).toEqual(['0.0', '3.0'])
  expect(marked(third)).toEqual(['3.0', '5.0'])
})

test('[MODEL54] without its cache marks a body has the bytes that were stored', () => {
  fc.assert(
    fc.property(steps(true), (list) => {
      for (const { body, messages } of requests(list)) {
        const [head = '', ...items] = anthropic.items(body)
        expect(items.slice(-messages.length)).toEqual(messages)
        const joined = `${head}"messages":[${items.join(',')}]}`
        expect(withoutMarks(body)).toEqual(JSON.parse(joined))
      }
    }),
    { numRuns: 300 },
  )
})

/** By structure: a mark is a member of a block, whatever stands in the texts. */
function withoutMarks(body: string): unknown {
  const parsed = JSON.parse(body) as Body
  const blocks = [parsed.system ?? [], ...parsed.messages.map(({ content }) => content)].flat()
  for (const block of blocks) delete block.cache_control
  return parsed
}

test.each([
  ['claude-opus-4-1-20250805', 32_000],
  ['claude-sonnet-5', 32_000],
  ['claude-3-7-sonnet-latest', 32_000],
  ['claude-3-5-haiku-20241022', 8_192],
  ['claude-3-haiku-20240307', 4_096],
  ['kimi-k3', 8_192],
])('[MODEL35] a reply of %s may have as much as the model can write', (name, most) => {
  const body = JSON.parse(
    anthropicBody({ name, tells: false }, { setup: tags, messages: [], sent: 0 }),
  ) as Body
  expect(body.max_tokens).toBe(most)
})
