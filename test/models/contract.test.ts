import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/protocol/events/epoch.ts'
import { textOf } from '../../src/protocol/events/message.ts'
import { allProviders } from './all-providers.ts'
import type { Provider, ProviderServer, ScriptedPart, ScriptedReply } from './provider.ts'
import { openTalk } from './talk.ts'

const cases = allProviders.flatMap((provider) =>
  provider.dialects.map((dialect) => ({ name: `${provider.name}, ${dialect}`, provider, dialect })),
)

const odd =
  '  \t lead\r\n\u2028 zero\u200bwidth \u{1f469}\u200d\u{1f4bb} “q” <b>&amp;</b> \\n trail \n\n'
const rawArgs = '{ "command" :\t"echo \\u00e9 \\"x\\"  ", "timeout":1.50 }'

const prompt = { kind: 'prompt', text: odd } as const
const call: ScriptedPart = { type: 'call', name: 'terminal_execute', args: rawArgs }
const usage = { input: 1_200, output: 34, cacheRead: 1_024, cacheWrite: 0 }

describe.each(cases)('$name', ({ provider, dialect }: { provider: Provider; dialect: Dialect }) => {
  let server: ProviderServer
  beforeEach(async () => {
    server = await provider.start()
  })
  afterEach(() => server.close())

  const open = () => openTalk(provider.model({ baseUrl: server.baseUrl, dialect }))
  const bodies = () => server.requests.map(({ body }) => body)
  const parts = (list: readonly ScriptedPart[]) =>
    list.filter((part) => part.type !== 'call' || dialect === 'tools')

  test('[MODEL1] the same history gives the same bytes', async () => {
    for (let round = 0; round < 2; round++) {
      server.say({ parts: parts([{ type: 'text', text: odd }, call]) }, 'done')
      const talk = open()
      await talk.ask({ kind: 'record', text: '[facts]' }, prompt)
      await talk.ask(...talk.answers(), { kind: 'prompt', text: 'go on' })
    }
    const [first, second, third, fourth] = bodies()
    // What a server signs or names by itself may differ; what we write does not.
    expect(third).toBe(first)
    expect(provider.items(fourth ?? '').length).toBe(provider.items(second ?? '').length)
  })

  test('[MODEL1] text and arguments come back byte for byte, and each request extends the last with its reply', async () => {
    const replies: ScriptedReply[] = [
      { parts: parts([{ type: 'text', text: odd }, call]) },
      {
        parts: parts([{ type: 'text', text: 'two' }, call, { ...call, args: '{"command":"pwd"}' }]),
      },
      { parts: [{ type: 'text', text: 'end' }] },
    ]
    server.say(...replies)
    const talk = open()
    const first = await talk.ask({ kind: 'record', text: '[facts]' }, prompt)
    expect(textOf(first.parts)).toBe(odd)
    if (dialect === 'tools')
      expect(first.parts.at(-1)).toMatchObject({ name: 'terminal_execute', args: rawArgs })
    await talk.ask(...talk.answers(odd), { kind: 'record', text: odd })
    await talk.ask(...talk.answers(), {
      kind: 'record',
      text: '$ ls\n[exit 0; run by the user]',
      asked: { name: 'terminal_execute', args: '{"command":"ls"}' },
    })
    await expectGrowth(provider, bodies(), replies)
  })

  test('[MODEL3] signed thoughts go back to the provider that signed them', async () => {
    const replies: ScriptedReply[] = [
      { parts: parts([{ type: 'thinking', text: 'first…' }, { type: 'text', text: 'so' }, call]) },
      { parts: [{ type: 'text', text: 'end' }] },
    ]
    server.say(...replies, 'over')
    const talk = open()
    const first = await talk.ask(prompt)
    expect(first.stop).toBe('done')
    await talk.ask(...talk.answers(), { kind: 'prompt', text: 'and?' })
    const last = await talk.ask({ kind: 'prompt', text: 'and?' })
    expect(last).toMatchObject({ stop: 'done' })
    await expectGrowth(provider, bodies(), replies)
  })

  test('[MODEL4] however the stream is cut, the reply is the same', async () => {
    const reply = {
      parts: parts([{ type: 'thinking', text: 'hm' }, { type: 'text', text: odd }, call]),
    }
    const ask = async () => {
      server.say(reply)
      return withoutIds((await open().ask(prompt)).parts)
    }
    const expected = await ask()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (sizes) => {
          server.cutAt(...sizes)
          expect(await ask()).toEqual(expected)
        },
      ),
      { numRuns: 30 },
    )
  })

  test('[MODEL5] tokens, and those from the cache, are read', async () => {
    server.say({ parts: [{ type: 'text', text: 'hi' }], usage })
    expect((await open().ask(prompt)).usage).toMatchObject({
      input: usage.input,
      output: usage.output,
      cacheRead: usage.cacheRead,
    })
  })

  test.each([
    [401, 'bad key', 'model_auth'],
    [404, 'no such model', 'model_config'],
    [500, 'oops', 'model_failed'],
    [503, 'busy', 'model_overloaded'],
  ])('[MODEL6] %i is told as what it means', async (status, message, code) => {
    // What may pass is tried again: the same answer for each attempt.
    const error = { status, message, retryAfter: '0.001' }
    server.say(...Array.from({ length: 5 }, () => ({ parts: [], error })))
    const ending = await open().ask(prompt)
    expect(ending).toMatchObject({ stop: 'failed', parts: [], error: { code } })
    expect(ending.error?.message).toContain(message)
  })

  test('[MODEL7] an overloaded provider is asked again after the time it names', async () => {
    const error = { status: 429, message: 'slow down', retryAfter: '0.001' }
    server.say({ parts: [], error }, 'here')
    const ending = await open().ask(prompt)
    expect(ending).toMatchObject({ stop: 'done' })
    expect(server.requests[1]?.body).toBe(server.requests[0]?.body)
  })

  test.each([
    ['length', { stop: 'length' }],
    ['refused', { stop: 'failed', error: { code: 'model_refused' } }],
    ['cut', { stop: 'failed', error: { code: 'model_cut' } }],
    ['endless', { stop: 'failed', error: { code: 'model_cut' } }],
  ] as const)('[MODEL4] a reply that ends as %s keeps its text', async (ending, expected) => {
    server.say({ parts: [{ type: 'text', text: 'half a ' }], ending })
    const asked = await open().ask(prompt)
    expect(asked).toMatchObject(expected)
    expect(textOf(asked.parts)).toBe('half a ')
  })

  test('[MODEL1] after a reply that is not replayed the next request is accepted', async () => {
    server.say({ parts: [{ type: 'text', text: ' ' }], ending: 'length' }, 'here')
    const talk = open()
    await talk.ask(prompt)
    expect(await talk.ask({ kind: 'prompt', text: 'again' })).toMatchObject({ stop: 'done' })
    const [first = '', second = ''] = bodies()
    expect(provider.items(second).slice(0, provider.items(first).length)).toEqual(
      provider.items(first),
    )
  })
})

function withoutIds(parts: readonly object[]): readonly object[] {
  return parts.map((part) => ({ ...part, id: '', opaque: '' }))
}

async function expectGrowth(
  provider: Provider,
  bodies: readonly string[],
  replies: readonly ScriptedReply[],
): Promise<void> {
  bodies.forEach((body, index) => {
    const before = bodies[index - 1]
    const reply = replies[index - 1]
    if (before === undefined || reply === undefined) return
    const expected = [...provider.items(before), ...provider.replayed(reply)]
    expect(provider.items(body).slice(0, expected.length)).toEqual(expected)
  })
}
