import { anthropic } from './anthropic/wire.ts'
import { demo } from './demo.ts'
import { gemini } from './gemini/wire.ts'
import { openaiChat, openaiChatStrict } from './openai-chat/wire.ts'
import { openaiResponses } from './openai-responses/wire.ts'
import type { Wire } from './model.ts'

/** By the name an epoch froze. A name is never given another shape, so that old logs stay readable. */
const wires: ReadonlyMap<string, Wire> = new Map([
  ['anthropic', anthropic],
  ['demo', demo],
  ['gemini', gemini],
  ['openai-chat', openaiChat],
  ['openai-chat-strict', openaiChatStrict],
  ['openai-responses', openaiResponses],
])

export function wireOf(adapter: string): Wire {
  const wire = wires.get(adapter)
  if (wire === undefined) throw new Error(`this version does not know the adapter ${adapter}`)
  return wire
}
