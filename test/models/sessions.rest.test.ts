// takes: 55 s
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/protocol/events/epoch.ts'
import type { ReplyPart } from '../../src/protocol/events/message.ts'
import { callModel } from '../../src/server/session/call-model.ts'
import type { Model } from '../../src/server/model/model.ts'
import { createRequestMeter } from '../../src/server/session/measured-requests.ts'
import { createConversation } from '../../src/session/conversation/conversation.ts'
import {
  type Happening,
  happening,
  nativeParts,
  privateWord,
  simulate,
  unsigned,
} from '../support/simulate.ts'
import { allProviders } from './all-providers.ts'
import type { Provider, ProviderServer, ScriptedPart, ScriptedReply } from './provider.ts'

const sessions = Number(process.env['TANDEM_SESSIONS'] ?? 10_000)

const cases = allProviders.flatMap((provider) =>
  provider.dialects.map((dialect) => ({ name: `${provider.name}, ${dialect}`, provider, dialect })),
)
const share = Math.ceil(sessions / cases.length)

const list = fc.array(happening, { minLength: 1, maxLength: 40, size: 'max' })

describe.each(cases)('$name', ({ provider, dialect }: { provider: Provider; dialect: Dialect }) => {
  test('[MODEL1] in any session each request extends the last and is accepted, and nothing private is in it', async () => {
    const server = await provider.start()
    const model = provider.model({ baseUrl: server.baseUrl, dialect })
    await fc.assert(
      fc.asyncProperty(list, (happenings) => drive({ provider, server, model }, happenings)),
      { numRuns: share },
    )
    await server.close()
  }, 600_000)
})

interface Talk {
  provider: Provider
  server: ProviderServer
  model: Model
}

/** The core as it is, the model over the wire; everything else is played by hand. */
async function drive({ provider, server, model }: Talk, happenings: readonly Happening[]) {
  server.hush()
  const simulation = simulate(model.setup)
  const conversation = createConversation()
  const meter = createRequestMeter()
  let read = 0
  let last: { epoch: unknown; items: readonly string[] } | null = null

  function follow(): void {
    for (const event of simulation.log.slice(read)) {
      conversation.apply(event)
      if (event.type === 'step_start') meter.measure(conversation)
    }
    read = simulation.log.length
  }

  async function ask(step: number, { fate, text }: Happening & { type: 'effect' }): Promise<void> {
    const reply = scripted({ fate, text, step, dialect: model.setup.dialect })
    server.say(reply)
    const asked = server.requests.length
    const ending = await callModel({
      model,
      request: meter.request(),
      signal: new AbortController().signal,
      onText: () => undefined,
      onRetry: () => undefined,
      // No wait before it is asked once more.
      random: () => -1,
    })
    // A line that broke before its first word was asked once more, and told that the script is over.
    const wasRetried = server.requests.length > asked + 1
    const body = server.requests[asked]?.body ?? ''
    expect(ending.error?.message ?? '').not.toMatch(/answered 400/)
    expect(body).not.toContain(privateWord)
    const items = provider.items(body)
    if (last?.epoch === conversation.setup)
      expect(items.slice(0, last.items.length)).toEqual(last.items)
    const isReplayed =
      !wasRetried && ending.stop === 'done' && isSaid(ending.parts) && !hasDoubledIds(reply)
    const replayed = isReplayed ? provider.replayed(reply) : []
    last = { epoch: conversation.setup, items: [...items, ...replayed] }
    await simulation.report({
      type: 'reply-ended',
      step,
      witness: { prefixBytes: 0, ok: true },
      ...ending,
    })
  }

  for (const happening of happenings) {
    const effect = happening.type === 'effect' ? simulation.effect(happening.pick) : undefined
    if (happening.type === 'effect' && effect?.type === 'call-model')
      await ask(effect.step, happening)
    else await simulation.happen(happening)
    follow()
  }
}

/** Of two calls with one id the later is answered under another; the rest of the rule still holds. */
function hasDoubledIds({ parts }: ScriptedReply): boolean {
  const ids = parts.flatMap((part) => (part.type === 'call' && part.id ? [part.id] : []))
  return new Set(ids).size < ids.length
}

function isSaid(parts: readonly ReplyPart[]): boolean {
  return parts.some(
    (part) => part.type === 'call' || (part.type === 'text' && part.text.trim() !== ''),
  )
}

function scripted(said: {
  fate: number
  text: string
  step: number
  dialect: Dialect
}): ScriptedReply {
  const { fate, text, step, dialect } = said
  const parts: readonly ScriptedPart[] =
    dialect === 'tags' ? [{ type: 'text', text }] : nativeParts(text, step).map(unsigned)
  const ending = fate === 0 ? 'cut' : fate === 1 ? 'length' : 'done'
  return { parts: parts.filter((part) => part.type === 'call' || part.text !== ''), ending }
}
