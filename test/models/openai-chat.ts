import { createChatModel } from '../../src/server/model/openai-chat/request.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { chatRefusal, strictRefusal } from './openai-chat-rules.ts'
import { apiKey, type Format, inPieces, madeUp, startOpenaiServer } from './openai-server.ts'
import type { Provider, ScriptedPart, ScriptedReply } from './provider.ts'

export const startChat = () => startOpenaiServer(chatFormat)

export const openaiChat: Provider = {
  name: 'openai-chat',
  dialects: ['tools', 'tags'],
  start: startChat,
  model: ({ baseUrl, dialect }) =>
    createChatModel({
      setup: setupOf({ model: 'openai-chat/gpt-test', adapter: 'openai-chat', dialect }),
      name: 'gpt-test',
      who: 'OpenAI',
      baseUrl,
      apiKey,
    }),
  items: chatItems,
  replayed({ parts }) {
    const content = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    const tool_calls = parts.flatMap((part) => (part.type === 'call' ? [toolCall(part)] : []))
    if (tool_calls.length === 0 && content.trim() === '') return []
    if (tool_calls.length === 0) return [JSON.stringify({ role: 'assistant', content })]
    const thought = parts.map((part) => (part.type === 'thinking' ? part.text : '')).join('')
    const reasoning = thought && { reasoning_content: thought }
    const said = { role: 'assistant', content: content || null, ...reasoning, tool_calls }
    return [JSON.stringify(said)]
  },
}

export const openaiChatStrict: Provider = {
  ...openaiChat,
  name: 'openai-chat-strict',
  dialects: ['tags'],
  start: () => startOpenaiServer({ ...chatFormat, refusalOf: strictRefusal }),
  model: ({ baseUrl }) =>
    createChatModel({
      setup: setupOf({ model: 'ollama/test', adapter: 'openai-chat-strict', dialect: 'tags' }),
      name: 'test',
      who: 'Ollama',
      baseUrl,
      apiKey,
    }),
  replayed: (reply) => {
    const [message] = openaiChat.replayed(reply)
    return [message ?? JSON.stringify({ role: 'assistant', content: '(no reply)' })]
  },
}

function chatItems(body: string): readonly string[] {
  const { messages, ...head } = JSON.parse(body) as { messages: object[] }
  return [head, ...messages].map((item) => JSON.stringify(item).replaceAll(madeUp, 'call_auto'))
}

function toolCall({ id = 'call_auto', name, args }: ScriptedPart & { type: 'call' }): object {
  return { id, type: 'function', function: { name, arguments: args } }
}

const finishes = { done: 'stop', length: 'length', refused: 'content_filter' } as const

export const chatFormat: Format = {
  path: '/v1/chat/completions',
  refusalOf: chatRefusal,
  events(reply) {
    const { parts, ending = 'done', usage } = reply
    const calls = parts.filter((part) => part.type === 'call')
    const reason = typeof ending === 'string' && ending in finishes ? ending : 'done'
    const finish = finishes[reason as keyof typeof finishes]
    const isCalling = finish === 'stop' && calls.length > 0
    return {
      said: [{ role: 'assistant', content: '', refusal: null }, ...deltas(reply)].map((delta) =>
        chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: null }] }),
      ),
      end: [
        chunk({
          choices: [{ index: 0, delta: {}, finish_reason: isCalling ? 'tool_calls' : finish }],
        }),
        chunk({ choices: [], usage: usageOf(usage) }),
        'data: [DONE]\n\n',
      ],
    }
  },
}

export function chunk(what: object): string {
  const object = 'chat.completion.chunk'
  const data = { id: 'chatcmpl-1', object, created: 1, model: 'gpt-test', ...what }
  return `data: ${JSON.stringify(data)}\n\n`
}

function deltas({ parts }: ScriptedReply): readonly object[] {
  let index = -1
  return parts.flatMap((part): readonly object[] => {
    if (part.type === 'text') return inPieces(part.text).map((content) => ({ content }))
    if (part.type === 'thinking')
      return inPieces(part.text).map((reasoning_content) => ({ reasoning_content }))
    index++
    const first = { id: part.id, type: 'function', function: { name: part.name, arguments: '' } }
    const pieces = inPieces(part.args).map((args) => ({ function: { arguments: args } }))
    return [first, ...pieces].map((piece) => ({ tool_calls: [{ index, ...piece }] }))
  })
}

function usageOf(usage = { input: 100, output: 7, cacheRead: 64, cacheWrite: 0 }): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    completion_tokens_details: { reasoning_tokens: 0 },
  }
}
