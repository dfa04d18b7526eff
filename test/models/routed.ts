import { createChatModel } from '../../src/server/model/openai-chat/request.ts'
import { createAnthropicModel } from '../../src/server/model/anthropic/request.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { anthropic } from './anthropic.ts'
import { apiKey as anthropicKey } from './anthropic-server.ts'
import { chatFormat, openaiChat } from './openai-chat.ts'
import { chatRefusal } from './openai-chat-rules.ts'
import { apiKey, startOpenaiServer } from './openai-server.ts'
import type { Provider, ProviderServer } from './provider.ts'

/** Several models behind one provider's name, each with rules of its own. */
function routed(name: string, start: () => Promise<ProviderServer>): Provider {
  const setup = (dialect: 'tags' | 'tools') =>
    setupOf({ model: `openrouter/${name}`, adapter: 'openai-chat', dialect })
  return {
    ...openaiChat,
    name: `openrouter/${name}`,
    start,
    model: ({ baseUrl, dialect }) =>
      createChatModel({ setup: setup(dialect), name, who: 'OpenRouter', baseUrl, apiKey }),
  }
}

const ids = /"(?:id|tool_call_id)":"([^"]*)"/g

/** Mistral takes ids of nine letters and digits, and no other. */
function mistralRefusal(body: string): string | null {
  const wrong = [...body.matchAll(ids)].find(([, id = '']) => !/^[a-zA-Z0-9]{9}$/.test(id))
  if (wrong === undefined) return chatRefusal(body)
  return `Tool call id was ${wrong[1]} but must be a-z, A-Z, 0-9, with a length of 9.`
}

let made = 0

async function startMistral(): Promise<ProviderServer> {
  const server = await startOpenaiServer({ ...chatFormat, refusalOf: mistralRefusal })
  return {
    ...server,
    say: (...replies) =>
      server.say(
        ...replies.map((reply) => {
          if (typeof reply === 'string') return reply
          const parts = reply.parts.map((part) =>
            part.type === 'call' ? { ...part, id: `m${String(++made).padStart(8, '0')}` } : part,
          )
          return { ...reply, parts }
        }),
      ),
  }
}

export const routedGpt = routed('gpt-test', openaiChat.start)
export const routedMistral = routed('mistral-test', startMistral)

/** A model of Anthropic's that is asked for its thoughts. */
export const thinkingClaude: Provider = {
  ...anthropic,
  name: 'claude-opus-5',
  model: ({ baseUrl, dialect }) => {
    const name = 'claude-opus-5'
    const setup = setupOf({ model: `anthropic/${name}`, adapter: 'anthropic', dialect })
    return createAnthropicModel({ setup, name, who: 'Claude', baseUrl, apiKey: anthropicKey })
  },
}
