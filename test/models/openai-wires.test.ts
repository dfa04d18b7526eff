import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ModelSetup } from '../../src/protocol/events/epoch.ts'
import type { RawCall, ReplyPart } from '../../src/protocol/events/message.ts'
import { chatBody } from '../../src/server/model/openai-chat/request.ts'
import { readChat } from '../../src/server/model/openai-chat/stream.ts'
import { readResponse } from '../../src/server/model/openai-responses/stream.ts'
import { responsesBody } from '../../src/server/model/openai-responses/request.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { answerOf } from './answer.ts'
import { sseData } from '../../src/server/model/transport/sse.ts'
import { wireOf } from '../../src/server/model/wires.ts'
import type { Block, Part, Reply, Taken } from '../../src/session/conversation/conversation.ts'
import { chatRefusal, strictRefusal } from './openai-chat-rules.ts'
import { chatFormat, openaiChat } from './openai-chat.ts'
import { encrypt, responsesRefusal } from './openai-responses-rules.ts'
import { openaiResponses, responsesFormat } from './openai-responses.ts'
import { readAll } from './openai-read.ts'
import type { ScriptedReply } from './provider.ts'

interface Case {
  setup: ModelSetup
  body(messages: readonly string[], setup: ModelSetup): string
  items(body: string): readonly string[]
  refusalOf(body: string): string | null
}

const chat = {
  body: (messages: readonly string[], setup: ModelSetup) =>
    chatBody({ name: 'x', baseUrl: 'https://api.openai.com/v1' }, { setup, messages, sent: 0 }),
  items: openaiChat.items,
  refusalOf: chatRefusal,
}
const responses = {
  body: (messages: readonly string[], setup: ModelSetup) =>
    responsesBody({ name: 'x', thinks: true, tells: true }, { setup, messages, sent: 0 }),
  items: openaiResponses.items,
  refusalOf: responsesRefusal,
}
const setup = (adapter: string, dialect: 'tags' | 'tools') =>
  setupOf({ model: 'openai/x', adapter, dialect })

const cases: readonly (Case & { name: string })[] = [
  { ...chat, setup: setup('openai-chat', 'tools') },
  { ...chat, setup: setup('openai-chat', 'tags') },
  { ...chat, setup: setup('openai-chat-strict', 'tags'), refusalOf: strictRefusal },
  { ...responses, setup: setup('openai-responses', 'tools') },
  { ...responses, setup: setup('openai-responses', 'tags') },
].map((one) => ({ ...one, name: `${one.setup.adapter}, ${one.setup.dialect}` }))

const words = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '\n', '\ud83d', 'a\udc00b', '\\ud83d', '\u2028', '\0'),
)

/** What the adapter writes down of a thought, or what another one does. */
const opaque = fc.option(
  fc.oneof(
    fc.constant(
      JSON.stringify({
        model: 'openai/x',
        reasoning: { type: 'reasoning', summary: [], encrypted_content: encrypt('') },
      }),
    ),
    fc.record({ item: fc.nat(2) }).map(({ item }) => JSON.stringify({ model: 'openai/x', item })),
    fc.constantFrom('', '{}', 'no json', '{"signature":"x"}', '{"model":"openai/y","item":1}'),
  ),
  { nil: undefined },
)

const withOpaque = <T extends object>(part: T, given: string | undefined) =>
  given === undefined ? part : { ...part, opaque: given }

const replyPart = fc.oneof(
  fc.tuple(words, opaque).map(([text, o]) => withOpaque({ type: 'text' as const, text }, o)),
  fc.tuple(words, opaque).map(([text, o]) => withOpaque({ type: 'thinking' as const, text }, o)),
  fc.record({ type: fc.constant('call' as const), id: fc.constant(''), name: words, args: words }),
)

/** What a step brings beside the answers: it always does if there are none. */
const others = fc.array(
  fc.oneof(
    words.map((text) => ({ kind: 'prompt' as const, text })),
    words.map((text) => ({ kind: 'record' as const, text })),
    fc.tuple(words, words).map(([text, command]) => ({
      kind: 'record' as const,
      text,
      asked: { name: 'terminal_execute', args: JSON.stringify({ command }) },
    })),
  ),
  { minLength: 1, maxLength: 4 },
)

const adapters = fc.constantFrom('openai-responses', 'openai-chat', 'gemini', '')
/** A step; its reply is missing where it was not replayed. */
const step = fc.record({
  others,
  reply: fc.option(fc.array(replyPart, { maxLength: 5 })),
  adapter: adapters,
})

/** As the conversation would be: answers first, and only blank replies are left out. */
function blocksOf(
  steps: readonly { others: readonly object[]; reply: ReplyPart[] | null; adapter: string }[],
  dialect: 'tags' | 'tools',
): readonly Block[] {
  const blocks: Block[] = []
  let seq = 0
  let calls: readonly RawCall[] = []
  for (const { others: given, reply, adapter } of steps) {
    const answers = calls.map((answers) => ({ kind: 'record', text: 'ok', answers }))
    const parts = [...answers, ...given].map((part) => ({ ...part, seq: ++seq }) as Part)
    const gap = blocks.at(-1)?.kind === 'taken'
    blocks.push({ kind: 'taken', seq: ++seq, parts, gap } satisfies Taken)
    calls = []
    if (!reply?.some((part) => part.type === 'call' || part.type === 'text')) continue
    const numbered = reply.map((part) =>
      part.type === 'call' ? { ...part, id: `id${++seq}` } : part,
    )
    blocks.push({ kind: 'reply', seq: ++seq, parts: numbered, adapter } satisfies Reply)
    if (dialect === 'tools') calls = numbered.filter((part) => part.type === 'call')
  }
  return blocks
}

test.each(cases)(
  '[MODEL1] $name: for any conversation each request extends the one before it, and the provider takes all of them',
  ({ setup: own, body, items, refusalOf }) => {
    const wire = wireOf(own.adapter)
    const write = (block: Block) =>
      block.kind === 'taken' ? wire.taken(block, own) : wire.reply(block, own)
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        const messages: string[] = []
        let last: readonly string[] = []
        for (const block of blocksOf(steps, own.dialect)) {
          messages.push(...write(block))
          if (block.kind === 'reply') continue
          const sent = body(messages, own)
          expect(refusalOf(sent)).toBeNull()
          const now = items(sent)
          expect(now.slice(0, last.length)).toEqual(last)
          last = now
        }
      }),
      { numRuns: 200 },
    )
  },
)

const reply: ScriptedReply = {
  parts: [
    { type: 'thinking', text: 'h…' },
    { type: 'text', text: 'só \u{1f469}\r\n' },
    { type: 'call', id: 'a', name: 'terminal_execute', args: '{}' },
  ],
}

test.each([
  ['chat', chatFormat, (data: AsyncIterable<string>) => readChat(data, 'x')],
  [
    'responses',
    responsesFormat,
    (data: AsyncIterable<string>) => readResponse(data, { who: 'x', model: 'm' }),
  ],
])(
  '[MODEL4] %s: a stream that ends at any byte before its end is cut, and keeps what had come',
  async (_, format, read) => {
    const { said, end } = format.events(reply)
    const bytes = Buffer.from([...said, ...end].join(''))
    const readTo = (at: number) => readAll(read(sseData(answerOf([bytes.subarray(0, at)]))))
    const whole = await readTo(bytes.length)
    expect(whole.end?.stop).toBe('done')
    const textOf = (parts: readonly ReplyPart[], type: string) =>
      parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')
    for (let at = 0; at < Buffer.byteLength(said.join('')); at++) {
      const { parts, error } = await readTo(at)
      expect(error?.code).toBe('model_cut')
      for (const type of ['text', 'thinking'])
        expect(textOf(whole.parts, type).startsWith(textOf(parts, type))).toBe(true)
    }
  },
)
