import type { Dialect } from '../../src/protocol/events/epoch.ts'
import { createAnthropicModel } from '../../src/server/model/anthropic/request.ts'
import type { Model } from '../../src/server/model/model.ts'
import { fillPictures } from '../../src/server/model/pictures.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { hashOf } from '../../src/server/store/blob-hash.ts'
import { allProviders } from '../models/all-providers.ts'
import { apiKey } from '../models/anthropic-server.ts'
import type { Provider, ScriptedReply } from '../models/provider.ts'
import { openTalk } from '../models/talk.ts'
import { png } from '../support/pictures.ts'

/** As the other providers, but with a model that is asked for its thoughts. */
function thinkingClaude(provider: Provider): Provider {
  const name = 'claude-opus-5'
  const setup = (dialect: Dialect) =>
    setupOf({ model: `anthropic/${name}`, adapter: 'anthropic', dialect })
  return {
    ...provider,
    model: ({ baseUrl, dialect }) =>
      createAnthropicModel({ setup: setup(dialect), name, who: 'Claude', baseUrl, apiKey }),
  }
}

/** The name that a model has for its provider; Google's stands in the address. */
export const geminiName = 'gemini-3-pro-preview'

export const sdkCases = allProviders
  .map((one) => (one.name === 'anthropic' ? thinkingClaude(one) : one))
  .flatMap((provider) =>
    provider.dialects.map((dialect) => ({
      name: `${provider.name}, ${dialect}`,
      provider,
      dialect,
    })),
  )

const bytes = png(2, 1)
const picture = { blob: hashOf(bytes), mediaType: 'image/png' }

/** The same model, which takes pictures. */
function seeing(model: Model): Model {
  const isStrict = model.setup.adapter === 'openai-chat-strict'
  const setup = { ...model.setup, ...(!isStrict && { images: ['image/png'] }) }
  return {
    setup,
    async *reply(request, options) {
      const messages = await fillPictures(request.messages, async () => ({ bytes }))
      yield* model.reply({ ...request, messages }, options)
    },
  }
}

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
