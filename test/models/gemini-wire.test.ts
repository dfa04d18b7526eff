import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Dialect } from '../../src/protocol/events/epoch.ts'
import type { RawCall, ReplyPart } from '../../src/protocol/events/message.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { gemini as wire } from '../../src/server/model/gemini/wire.ts'
import type { Block, Part } from '../../src/session/conversation/conversation.ts'
import { whyRefused } from './gemini-rules.ts'
import { noSignature, signedCall, signedText } from './gemini-script.ts'

const setup = (dialect: Dialect) =>
  setupOf({ model: 'gemini/gemini-3-pro-preview', adapter: 'gemini', dialect })

const taken = (...parts: readonly Part[]): Block => ({ kind: 'taken', seq: 1, parts, gap: false })
const said = (parts: readonly ReplyPart[], adapter = 'gemini'): Block => ({
  kind: 'reply',
  seq: 2,
  parts,
  adapter,
  model: adapter === 'gemini' ? 'gemini/gemini-3-pro-preview' : `${adapter}/other`,
})
const prompt = (text: string): Part => ({ kind: 'prompt', seq: 1, text })
const answer = (answers: RawCall, text = 'ok'): Part => ({ kind: 'record', seq: 3, text, answers })
const call = (id: string, args: string, opaque?: string): RawCall => ({
  type: 'call',
  id,
  name: 'f',
  args,
  ...(opaque !== undefined && { opaque }),
})

function write(blocks: readonly Block[], dialect: Dialect = 'tools'): readonly string[] {
  const frozen = setup(dialect)
  return blocks.flatMap((block) =>
    block.kind === 'taken' ? wire.taken(block, frozen) : wire.reply(block, frozen),
  )
}

const refused = (contents: readonly string[]) =>
  whyRefused(`{"contents":[${contents.join(',')}]}`, 'gemini-3-pro-preview')

test('[MODEL3] what Gemini signed goes back where it was, and a thought that it did not sign stays here', () => {
  const reply: ReplyPart[] = [
    { type: 'thinking', text: 'not signed' },
    { type: 'thinking', text: 'signed', opaque: 'c1' },
    { type: 'text', text: 'one', opaque: 'c2' },
    { type: 'text', text: 'two' },
    { type: 'text', text: '', opaque: 'c3' },
  ]
  expect(write([said(reply)])).toEqual([
    '{"role":"model","parts":[{"text":"signed","thought":true,"thoughtSignature":"c1"},{"text":"one","thoughtSignature":"c2"},{"text":"two"},{"text":"","thoughtSignature":"c3"}]}',
  ])
})

test('[MODEL25] an id that Gemini gave goes back with the call and its result, one that we made does not', () => {
  const theirs = call('x1', '{ "a":1 }', '{"functionCallId":"x1","thoughtSignature":"c2ln"}')
  // Two calls with one id: the session tells them apart, Gemini gets its own back.
  const twin = call('x1_2', '{}', '{"functionCallId":"x1"}')
  const ours = call('call_2', '{}')
  expect(
    write([said([theirs, twin, ours]), taken(answer(theirs), answer(twin), answer(ours))]),
  ).toEqual([
    '{"role":"model","parts":[{"functionCall":{"id":"x1","name":"f","args":{ "a":1 }},"thoughtSignature":"c2ln"},{"functionCall":{"id":"x1","name":"f","args":{}}},{"functionCall":{"name":"f","args":{}}}]}',
    '{"role":"user","parts":[{"functionResponse":{"id":"x1","name":"f","response":{"output":"ok"}}},{"functionResponse":{"id":"x1","name":"f","response":{"output":"ok"}}},{"functionResponse":{"name":"f","response":{"output":"ok"}}}]}',
  ])
})

test('[MODEL26] the results of a reply’s calls share one content, and everything else has its own', () => {
  const first = call('call_0', '{}')
  const second = call('call_1', '{}')
  const parts = [answer(first, 'one'), answer(second, ''), prompt('hi'), prompt(''), prompt(' ')]
  expect(write([taken(...parts)])).toEqual([
    '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"one"}}},{"functionResponse":{"name":"f","response":{"output":""}}}]}',
    '{"role":"user","parts":[{"text":"hi"}]}',
    '{"role":"user","parts":[{"text":" "}]}',
  ])
  expect(write([taken(prompt(''))])).toEqual([])
  expect(write([said([{ type: 'text', text: '' }])])).toEqual([])
})

test('[MODEL3] what another provider said goes to Gemini without its secrets, and is accepted in the current turn', () => {
  const foreign = (id: string, args: string) => call(id, args, '{"functionCallId":"z"} of another')
  const calls = [foreign('toolu_1', '{"a":1}'), foreign('toolu_2', 'no JSON')]
  const reply: ReplyPart[] = [
    { type: 'thinking', text: 'hm', opaque: 'encrypted' },
    { type: 'text', text: 'so', opaque: 'item_1' },
    ...calls,
    { ...call('toolu_3', '{}'), name: '' },
  ]
  const nameless = { ...call('toolu_3', '{}'), name: '' }
  const answers = [...calls, nameless].map((one) => answer(one))
  const contents = write([taken(prompt('hi')), said(reply, 'anthropic'), taken(...answers)])
  expect(JSON.parse(contents[1] ?? '')).toEqual({
    role: 'model',
    parts: [
      { text: 'so' },
      { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: noSignature },
      { functionCall: { name: 'f', args: { invalid: 'no JSON' } } },
      { functionCall: { name: 'unnamed', args: {} } },
    ],
  })
  expect(refused(contents)).toBeNull()
})

test('[MODEL37] in the tags dialect there is nothing but text', () => {
  const made = call('call_0', '{"command":"ls"}', '{"thoughtSignature":"c2ln"}')
  const contents = write(
    [
      taken(prompt('hi')),
      said([
        { type: 'text', text: '<shell>ls</shell>' },
        { type: 'text', text: '', opaque: 'c2ln' },
      ]),
      said([made]),
      taken(answer(made, '$ ls\n[exit 0]')),
    ],
    'tags',
  )
  expect(contents.slice(1)).toEqual([
    '{"role":"model","parts":[{"text":"<shell>ls</shell>"},{"text":"","thoughtSignature":"c2ln"}]}',
    '{"role":"model","parts":[{"text":"[call f {\\"command\\":\\"ls\\"}]"}]}',
    '{"role":"user","parts":[{"text":"$ ls\\n[exit 0]"}]}',
  ])
})

const ran = '$ ls\n[exit 0; run by the user]'
const did = (name: string): Part => ({
  kind: 'record',
  seq: 1,
  text: ran,
  asked: { name, args: '{"command":"ls"}' },
})

test('[MODEL37] what a person did is told as text in tags, and to an epoch of the first shape', () => {
  const block = taken(did('terminal_execute'))
  const bare = [JSON.stringify({ role: 'user', parts: [{ text: ran }] })]
  expect(write([block], 'tags')).toEqual(bare)
  const { wireVersion: _, ...first } = setup('tools')
  expect(block.kind === 'taken' && wire.taken(block, first)).toEqual(bare)
})

test.each(['terminal_execute', 'activate_skill'])(
  '[MODEL37] a person’s %s is told as a call and its answer, behind a turn of the user',
  (name) => {
    const contents = write([taken(did(name), did(name), prompt('go'))])
    const call = { functionCall: { name, args: { command: 'ls' } }, thoughtSignature: noSignature }
    const response = { functionResponse: { name, response: { output: ran } } }
    const pair = [
      { role: 'model', parts: [call] },
      { role: 'user', parts: [response] },
    ]
    const lead = { role: 'user', parts: [{ text: '(the user did this)' }] }
    const go = { role: 'user', parts: [{ text: 'go' }] }
    expect(contents.map((one) => JSON.parse(one))).toEqual([lead, ...pair, ...pair, go])
    expect(refused(contents)).toBeNull()
    const behind = [taken(prompt('hi')), said([{ type: 'text', text: 'yes' }]), taken(did(name))]
    expect(refused(write(behind))).toBeNull()
  },
)

test('[MODEL3] what another model of Gemini’s signed and named is left out with its answer’s id', () => {
  const theirs = call('x1', '{}', '{"functionCallId":"x1","thoughtSignature":"c2ln"}')
  const origin = { model: 'gemini/gemini-2.5-pro', seq: 2, index: 0 }
  const { model } = origin
  const reply: Block = { kind: 'reply', seq: 2, parts: [theirs], adapter: 'gemini', model }
  const contents = write([
    taken(prompt('hi')),
    reply,
    taken({ kind: 'record', seq: 3, text: 'ok', answers: theirs, origin }),
  ])
  expect(contents.join('')).not.toContain('x1')
  expect(refused(contents)).toBeNull()
})

const text = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '\u2028', '\u{1f600}', '"'),
  maxLength: 6,
})
const args = fc.constantFrom('{}', '{ "a" :1.0 }', '{"b":{"a":[1 , 2]},"b":0}', 'no JSON', '[1]')
const adapter = fc.constantFrom('gemini', 'gemini', 'anthropic', '')

interface Step {
  prompts: readonly string[]
  parts: readonly {
    type: 'text' | 'thinking' | 'call'
    text: string
    args: string
    id: string | null
  }[]
  adapter: string
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    prompts: fc.array(text, { maxLength: 3 }),
    parts: fc.array(
      fc.record({
        type: fc.constantFrom('text', 'thinking', 'call'),
        text,
        args,
        id: fc.option(fc.string({ minLength: 1, maxLength: 3 })),
      }),
      { maxLength: 5 },
    ),
    adapter,
  }),
  { minLength: 1, maxLength: 6 },
)

/** A reply as the adapter would have read it, signed as Gemini signs. */
function replyOf({ parts, adapter }: Step): readonly ReplyPart[] {
  let calls = 0
  const own = adapter === 'gemini'
  const reply = parts.map(({ type, text, args: given, id }): ReplyPart => {
    if (type !== 'call') return { type, text }
    const args = own && !given.startsWith('{') ? '{}' : given
    const isFirst = calls === 0
    const opaque = JSON.stringify({
      ...(id !== null && { functionCallId: id }),
      ...(isFirst && { thoughtSignature: signedCall('f', args) }),
    })
    return { ...call(`call_${calls++}`, args, own ? opaque : 'theirs') }
  })
  if (calls > 0 || !own) return reply
  const whole = reply.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return [...reply, { type: 'text', text: '', opaque: signedText(whole) }]
}

function blocksOf(all: readonly Step[]): readonly Block[] {
  let open: readonly RawCall[] = []
  return all.flatMap((step, index): Block[] => {
    const answers = open.map((one) => answer(one))
    const parts = replyOf(step)
    open = parts.filter((part) => part.type === 'call')
    const prompts = step.prompts.map(prompt)
    const acts = step.prompts.length % 2 === 0 ? [did('terminal_execute')] : []
    const all = [...answers, ...acts, ...prompts, prompt(`go ${index}`)]
    return [taken(...all), said(parts, step.adapter)]
  })
}

test.each(['tags', 'tools'] as const)(
  '[MODEL1] any conversation extends every shorter one, and Gemini accepts each (%s)',
  (dialect) => {
    fc.assert(
      fc.property(steps, (all) => {
        const blocks = blocksOf(all)
        const whole = write(blocks, dialect)
        blocks.forEach((block, index) => {
          const contents = write(blocks.slice(0, index + 1), dialect)
          expect(whole.slice(0, contents.length)).toEqual(contents)
          if (block.kind === 'taken') expect(refused(contents)).toBeNull()
        })
      }),
      { numRuns: 700 },
    )
  },
)
