import { expect } from 'vitest'
import type { Dialect } from '../../src/protocol/events/epoch.ts'
import type { Event } from '../../src/protocol/events/event.ts'
import type { ReplyPart } from '../../src/protocol/events/message.ts'
import type { RequestMeasure } from '../../src/protocol/events/turn.ts'
import type { Model } from '../../src/server/model/model.ts'
import { callModel } from '../../src/server/session/call-model.ts'
import { createRequestMeter } from '../../src/server/session/measured-requests.ts'
import { createConversation } from '../../src/session/conversation/conversation.ts'
import { simulate } from '../support/simulate.ts'
import type { Provider, ProviderServer, ScriptedReply } from './provider.ts'
import { picture, pictureBase64, seeing } from './seeing.ts'

interface Speaker {
  provider: Provider
  server: ProviderServer
  model: Model
}

const witness = { prefixBytes: 0, ok: true }
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }

/** A session of the real core that is switched between models, each asked over its wire. */
export async function openSwitched(dialect: Dialect, ...providers: readonly Provider[]) {
  const speakers: Speaker[] = []
  for (const provider of providers) {
    const server = await provider.start()
    const model = seeing(provider.model({ baseUrl: server.baseUrl, dialect }))
    speakers.push({ provider, server, model })
  }
  const simulation = simulate(speakers.map(({ model }) => model.setup))
  const conversation = createConversation()
  const meter = createRequestMeter()
  const log: Event[] = []
  const measures = new Map<number, RequestMeasure>()
  let read = 0
  let last: { epoch: unknown; items: readonly string[] } | null = null

  function follow(): void {
    for (const event of simulation.log.slice(read).map(pictured)) {
      log.push(event)
      conversation.apply(event)
      if (event.type === 'step_start') measures.set(event.seq, meter.measure(conversation))
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

  /** The request, which extends the last one of its epoch by all of its bytes. */
  function checkRequest(body: string, { provider }: Speaker): void {
    const items = provider.items(body)
    if (last?.epoch === conversation.setup) expect(shareOf(last.items, items)).toBe('1.0000')
    last = { epoch: conversation.setup, items }
    const ids = [...body.matchAll(/"(?:id|call_id|tool_call_id|tool_use_id)":"([^"]+)"/g)]
    const names = ids.map(([, id = '']) => id).sort()
    // Each call, and its answer.
    expect(names).toEqual([...new Set(names)].flatMap((id) => [id, id]))
  }

  /** Asks the model of now with what waits, and reports how its reply ended. */
  async function reply(speaker: Speaker, signal: AbortSignal, onText: () => void) {
    const step = await untilAsked()
    if (step === null) throw new Error('nobody asks the model')
    const { model, server } = speaker
    const onRetry = () => undefined
    const ending = await callModel({ model, request: meter.request(), signal, onText, onRetry })
    expect(ending.error?.message).toBeUndefined()
    checkRequest(server.requests.at(-1)?.body ?? '', speaker)
    await simulation.report({ type: 'reply-ended', step, witness, ...ending })
    return ending.stop
  }

  /** Takes this for the reply of the model of now. */
  async function ask(speaker: Speaker, said: ScriptedReply): Promise<void> {
    speaker.server.say(said)
    const stop = await reply(speaker, new AbortController().signal, () => undefined)
    expect(stop).toBe('done')
  }

  /** The same for a reply that a person stops at its first word. */
  async function abort(speaker: Speaker, { parts }: ScriptedReply): Promise<void> {
    const controller = new AbortController()
    const text = { type: 'text', text: 'let me' } as const
    speaker.server.say({ parts: [text, ...parts], ending: new Promise(() => undefined) })
    const stop = await reply(speaker, controller.signal, () => controller.abort())
    expect(stop).toBe('aborted')
  }

  /** From the log alone every request is written again as it was sent; each model saw the picture that it takes. */
  function expectReplayed(): void {
    for (const { model, server } of speakers)
      if (model.setup.images) expect(server.requests.at(-1)?.body).toContain(pictureBase64)
    const again = createConversation()
    const other = createRequestMeter()
    for (const event of log) {
      again.apply(event)
      const measured = measures.get(event.seq)
      if (event.type !== 'step_start' || measured === undefined) continue
      other.check(again, measured)
      expect(other.witness()).toMatchObject({ ok: true })
    }
  }

  return {
    speakers,
    submit,
    ask,
    abort,
    expectReplayed,
    untilAsked,
    report: (step: number, parts: readonly ReplyPart[]) =>
      simulation.report({ type: 'reply-ended', step, witness, usage, stop: 'done', parts }),
    close: () => Promise.all(speakers.map(({ server }) => server.close())),
  }
}

/** A record of `!picture` has one, as that of a mentioned file would. */
function pictured(event: Event): Event {
  if (event.type !== 'tool_response' || !event.content.includes('$ picture')) return event
  return { ...event, images: [picture] }
}

/** The share of the last request that is sent again, byte for byte, before anything new. */
function shareOf(before: readonly string[], now: readonly string[]): string {
  const [sent, again] = [before, now].map((items) => Buffer.from(items.join('\n')))
  if (sent === undefined || again === undefined) throw new Error('nothing to compare')
  let same = 0
  while (same < sent.length && sent[same] === again[same]) same++
  return (same / sent.length).toFixed(4)
}
