import { describe, test } from 'vitest'
import type { Dialect } from '../../src/protocol/events/epoch.ts'
import { allProviders } from './all-providers.ts'
import type { ScriptedReply } from './provider.ts'
import { routedGpt, routedMistral, thinkingClaude } from './routed.ts'
import { openSwitched } from './switched-session.ts'

const dialects: readonly Dialect[] = ['tools', 'tags']
const pairs = dialects.flatMap((dialect) => {
  const all = [...allProviders, routedGpt, routedMistral, thinkingClaude]
  const speakers = all.filter((provider) => provider.dialects.includes(dialect))
  return speakers.flatMap((one) =>
    speakers.flatMap((other) =>
      one === other
        ? []
        : [{ name: `${one.name} and ${other.name}, ${dialect}`, one, other, dialect }],
    ),
  )
})

const command = (text: string): ScriptedReply['parts'] => [
  { type: 'call', name: 'terminal_execute', args: JSON.stringify({ command: text }) },
]

function calling(dialect: Dialect, text: string): ScriptedReply {
  const thinking = { type: 'thinking', text: 'hm' } as const
  if (dialect === 'tags')
    return { parts: [thinking, { type: 'text', text: `<shell>${text}</shell>` }] }
  return { parts: [thinking, { type: 'text', text: 'so' }, ...command(text)] }
}

const done = [{ type: 'text', text: 'done' }] as const

describe.each(pairs)('$name', ({ one, other, dialect }) => {
  test('[MODEL25] switched there and back with calls, thoughts, a picture and an abort, every request is accepted, extends the last, and has no id twice', async () => {
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
      await session.submit('!picture')
      await session.untilAsked()
      await session.submit('look at it')
      await session.abort(speaker, calling(dialect, 'ls'))
      await session.submit('go on')
      await session.ask(speaker, calling(dialect, 'ls'))
      await session.ask(speaker, { parts: [{ type: 'thinking', text: 'well' }, ...done] })
    }
    session.expectReplayed()
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
