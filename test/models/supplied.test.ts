import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Event } from '../../src/protocol/events/event.ts'
import { anthropicBody } from '../../src/server/model/anthropic/request.ts'
import { geminiBody } from '../../src/server/model/gemini/request.ts'
import type { ModelRequest } from '../../src/server/model/model.ts'
import { chatBody } from '../../src/server/model/openai-chat/request.ts'
import { responsesBody } from '../../src/server/model/openai-responses/request.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { createRequestMeter } from '../../src/server/session/measured-requests.ts'
import { createConversation } from '../../src/session/conversation/conversation.ts'
import { type Body, refusalOf as anthropicRefusal } from './anthropic-rules.ts'
import { whyRefused } from './gemini-rules.ts'
import { chatRefusal, strictRefusal } from './openai-chat-rules.ts'
import { responsesRefusal } from './openai-responses-rules.ts'

/** A history that a client supplied, and a step that takes it: nobody knows in which order it was said. */

const chatOf = (request: ModelRequest) => chatBody({ name: 'x', baseUrl: 'http://x' }, request)

const wires: readonly { adapter: string; refusal(request: ModelRequest): string | null }[] = [
  {
    adapter: 'anthropic',
    refusal: (request) =>
      anthropicRefusal(
        JSON.parse(anthropicBody({ name: 'claude-x', tells: false }, request)) as Body,
      ),
  },
  {
    adapter: 'gemini',
    refusal: (request) => {
      const { contents } = JSON.parse(geminiBody('gemini-3', request)) as {
        contents: { role: string }[]
      }
      if (contents[0]?.role !== 'user') return 'a conversation begins with the user'
      return whyRefused(geminiBody('gemini-3', request), 'gemini-3')
    },
  },
  { adapter: 'openai-chat', refusal: (request) => chatRefusal(chatOf(request)) },
  { adapter: 'openai-chat-strict', refusal: (request) => strictRefusal(chatOf(request)) },
  {
    adapter: 'openai-responses',
    refusal: (request) =>
      responsesRefusal(responsesBody({ name: 'x', thinks: true, tells: true }, request)),
  },
]

const stamp = (seq: number) => ({ v: 1, seq, at: 1, by: { kind: 'user' } })

function eventsOf(said: readonly { role: string; text: string }[], adapter: string) {
  const setup = setupOf({ model: 'p/x', adapter, dialect: 'tags' })
  const messages = said.map(({ role, text }, index) => {
    const shared = { ...stamp(index + 2), type: 'message', role, parts: [{ type: 'text', text }] }
    const own = { step: null, stop: 'done', usage: none, witness: { prefixBytes: 0, ok: true } }
    return { ...shared, inContext: true, synthetic: false, ...(role === 'assistant' && own) }
  })
  const takes = messages.map(({ seq }) => seq)
  const request = { bytes: 0, hash: '', added: [] }
  const step = { ...stamp(said.length + 2), type: 'step_start', turn: 1, step: 1, takes, request }
  const epoch = { ...stamp(1), type: 'epoch_start', ...setup }
  return [epoch, ...messages, step].map((event) => Event.parse(event))
}

const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
const said = fc.record({
  role: fc.constantFrom('user', 'assistant'),
  text: fc.constantFrom('a', 'b c', ' ', 'é\n'),
})

test.each(wires)(
  '[MODEL1] a history in any order comes out as $adapter takes it: its turns alternate where they must',
  ({ adapter, refusal }) => {
    fc.assert(
      fc.property(fc.array(said, { maxLength: 8 }), (history) => {
        const conversation = createConversation()
        const meter = createRequestMeter()
        for (const event of eventsOf([...history, { role: 'user', text: 'go' }], adapter)) {
          conversation.apply(event)
          if (event.type === 'step_start') meter.measure(conversation)
        }
        expect(refusal(meter.request())).toBeNull()
      }),
    )
  },
)
