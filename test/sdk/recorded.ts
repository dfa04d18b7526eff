import type { Dialect } from '../../src/protocol/events/epoch.ts'
import { allProviders } from '../models/all-providers.ts'
import type { Provider, ScriptedReply } from '../models/provider.ts'
import { thinkingClaude } from '../models/routed.ts'
import { picture, seeing } from '../models/seeing.ts'
import { openTalk } from '../models/talk.ts'

/** The name that a model has for its provider; Google's stands in the address. */
export const geminiName = 'gemini-3-pro-preview'

export const sdkCases = allProviders
  .map((one) => (one.name === 'anthropic' ? { ...thinkingClaude, name: one.name } : one))
  .flatMap((provider) =>
    provider.dialects.map((dialect) => ({
      name: `${provider.name}, ${dialect}`,
      provider,
      dialect,
    })),
  )

const command = JSON.stringify({ command: 'ls -la', timeout: 5 })

/** Replies of every kind that a session can have. */
export function repliesOf(dialect: Dialect): readonly ScriptedReply[] {
  const thinking = { type: 'thinking', text: 'I should look.' } as const
  const call = { type: 'call', name: 'terminal_execute', args: command } as const
  const asked =
    dialect === 'tools' ? [call, call] : [{ type: 'text', text: '<shell>ls</shell>' } as const]
  return [
    { parts: [thinking, { type: 'text', text: 'Let me see.\n' }, ...asked] },
    { parts: [{ type: 'text', text: 'é 👍 and no more' }] },
    { parts: [{ type: 'text', text: 'cut at the' }], ending: 'length' },
    { parts: asked, usage: { input: 900, output: 12, cacheRead: 800, cacheWrite: 0 } },
  ]
}

/** A session with all that a request can hold; the bodies that were sent, in order. */
export async function recordBodies(
  provider: Provider,
  dialect: Dialect,
): Promise<readonly string[]> {
  const server = await provider.start()
  try {
    const talk = openTalk(seeing(provider.model({ baseUrl: server.baseUrl, dialect })))
    server.say(...repliesOf(dialect))
    const ran = { name: 'terminal_execute', args: command }
    await talk.ask(
      { kind: 'record', text: '$ ls -la\n[exit 0]', asked: ran },
      { kind: 'record', text: 'a picture', images: [picture] },
      { kind: 'prompt', text: 'hello' },
    )
    await talk.ask(...talk.answers(), { kind: 'record', text: '[a fact]' })
    await talk.ask({ kind: 'prompt', text: 'go on' })
    const ending = await talk.ask({ kind: 'prompt', text: 'and on' })
    if (ending.error !== undefined) throw new Error(ending.error.message)
    return server.requests.map(({ body }) => body)
  } finally {
    await server.close()
  }
}
