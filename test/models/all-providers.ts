import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiChatStrict } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import type { Provider } from './provider.ts'

/** Every provider there is an adapter for. */
export const allProviders: readonly Provider[] = [
  anthropic,
  gemini,
  openaiChat,
  openaiChatStrict,
  openaiResponses,
]
