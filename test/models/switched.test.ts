import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/protocol/events/epoch.ts'
import type { ReplyPart } from '../../src/protocol/events/message.ts'
import type { Model } from '../../src/server/model/model.ts'
import { callModel } from '../../src/server/session/call-model.ts'
import { createRequestMeter } from '../../src/server/session/measured-requests.ts'
import { createConversation } from '../../src/session/conversation/conversation.ts'
import { simulate } from '../support/simulate.ts'
import { allProviders } from './all-providers.ts'
import type { Provider, ProviderServer, ScriptedReply } from './provider.ts'

const dialects: readonly Dialect[] = ['tools', 'tags']
const pairs = dialects.flatMap((dialect) => {
  const speakers = allProviders.filter((provider) => provider.dialects.includes(dialect))
  return speakers.flatMap((one) =>
    speakers.flatMap((other) =>
      one === other
        ? []
        : [{ name: `${one.name} and ${other.name}, ${dialect}`, one, other, dialect }],
    ),
  )
})

interface Speaker {
  provider: Provider
  server: ProviderServer
  model: Model
}

const witness = { prefixBytes: 0, ok: true }
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }

/** A session of the real core that is switched between models, each asked over its wire. */
async function openSwitched(dialect: Dialect, ...providers: readonly Provider[]) {
  const speakers: Speaker[] = []
  for (const provider of providers) {
    const server = await provider.start()
    speakers.push({ provider, server, model: provider.model({ baseUrl: server.baseUrl, dialect }) })
  }
  const simulation = simulate(speakers.map(({ model }) => model.setup))
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

  /** Plays everything but the model until the model is asked. */
  async function untilAsked(): Promise<number | null> {
    for (let n = 0; n < 50; n++) {
      follow()
      const effect = simulation.effect(0)
      if (effect === undefined) return null
      if (effect.type === 'call-model') return effect.step
      await simulation.happen({ type: 'effect', pick: 0, fate: 9, text: 'out' })
    }
    throw new Error('the session does not come to rest')
  }

  const submit = (text: string) => simulation.happen({ type: 'submit', text, as: 'auto' })

  /** Asks the model of now with what waits, and takes this for its reply. */
  async function ask({ provider, server, model }: Speaker, reply: ScriptedReply): Promise<void> {
    const step = await untilAsked()
    if (step === null) throw new Error('nobody asks the model')
    server.say(reply)
    const ending = await callModel({
      model,
      request: meter.request(),
      signal: new AbortController().signal,
      onText: () => undefined,
      onRetry: () => undefined,
    })
    expect(ending.error?.message).toBeUndefined()
    const body = server.requests.at(-1)?.body ?? ''
    const items = provider.items(body)
    if (last?.epoch === conversation.setup)
      expect(items.slice(0, last.items.length)).toEqual(last.items)
    last = { epoch: conversation.setup, items }
    const ids = [...body.matchAll(/"(?:id|call_id|tool_call_id|tool_use_id)":"([^"]+)"/g)]
    const names = ids.map(([, id = '']) => id).sort()
    // Each call, and its answer.
    expect(names).toEqual([...new Set(names)].flatMap((id) => [id, id]))
    await simulation.report({ type: 'reply-ended', step, witness, ...ending })
  }

  return {
    speakers,
    submit,
    ask,
    untilAsked,
    report: (step: number, parts: readonly ReplyPart[]) =>
      simulation.report({ type: 'reply-ended', step, witness, usage, stop: 'done', parts }),
    close: () => Promise.all(speakers.map(({ server }) => server.close())),
  }
}

const command = (text: string): ScriptedReply['parts'] => [
  { type: 'call', name: 'terminal_execute', args: JSON.stringify({ command: text }) },
]

function calling(dialect: Dialect, text: string): ScriptedReply {
  const thinking = { type: 'thinking', text: 'hm' } as const
  if (dialect === 'tags')
    return { parts: [thinking, { type: 'text', text: `<shell>${text}</shell>` }] }
  return { parts: [thinking, { type: 'text', text: 'so' }, ...command(text)] }
}

describe.each(pairs)('$name', ({ one, other, dialect }) => {
  test('[MODEL25] switched there and back after two calls each, every request is accepted and no id is in it twice', async () => {
    const session = await openSwitched(dialect, one, other)
    const [first, second] = session.speakers
    for (const speaker of [first, second, first, second]) {
      if (speaker === undefined) throw new Error('two are needed')
      await session.submit(`/model ${speaker.model.setup.model}`)
      await session.submit('!ls')
      await session.untilAsked()
      await session.submit('go')
      await session.ask(speaker, calling(dialect, 'ls'))
      await session.ask(speaker, calling(dialect, 'pwd'))
      await session.ask(speaker, { parts: [{ type: 'text', text: 'done' }] })
    }
    await session.close()
  })
})

const natives = allProviders.filter(({ dialects: known }) => known.includes('tools'))

test.each(natives)(
  '[MODEL25] a log in which two replies gave their calls one id is accepted by $name',
  async (provider) => {
    const other = natives.find((one) => one !== provider)
    if (other === undefined) throw new Error('two are needed')
    const session = await openSwitched('tools', other, provider)
    await session.submit('go')
    for (let n = 0; n < 2; n++) {
      const step = await session.untilAsked()
      await session.report(step ?? 0, [
        { type: 'call', id: 'call_0', name: 'terminal_execute', args: '{"command":"ls"}' },
        { type: 'call', id: 'call_1', name: 'terminal_execute', args: '{"command":"pwd"}' },
      ])
    }
    await session.report((await session.untilAsked()) ?? 0, [{ type: 'text', text: 'done' }])
    const speaker = session.speakers[1]
    if (speaker === undefined) throw new Error('two are needed')
    await session.submit(`/model ${speaker.model.setup.model}`)
    await session.submit('go on')
    await session.ask(speaker, { parts: [{ type: 'text', text: 'done' }] })
    await session.close()
  },
)
