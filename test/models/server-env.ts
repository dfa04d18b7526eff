import type { Dialect } from '../../src/protocol/events/epoch.ts'
import { apiKey as anthropicKey } from './anthropic-server.ts'
import { key as geminiKey } from './gemini-server.ts'
import { apiKey as openaiKey } from './openai-server.ts'
import type { Provider } from './provider.ts'

const envOf: Readonly<Record<string, (baseUrl: string) => Record<string, string>>> = {
  gemini: (baseUrl) => ({
    TANDEM_MODEL: 'gemini/gemini-3-pro-preview',
    GEMINI_API_KEY: geminiKey,
    GOOGLE_GEMINI_BASE_URL: baseUrl,
  }),
  anthropic: (baseUrl) => ({
    TANDEM_MODEL: 'anthropic/claude-test',
    ANTHROPIC_API_KEY: anthropicKey,
    ANTHROPIC_BASE_URL: baseUrl,
  }),
  'openai-chat': (baseUrl) => ({
    TANDEM_MODEL: 'openai-chat/gpt-test',
    OPENAI_API_KEY: openaiKey,
    OPENAI_BASE_URL: baseUrl,
  }),
  'openai-chat-strict': (baseUrl) => ({
    TANDEM_MODEL: 'openai-compatible/gpt-test',
    TANDEM_API_KEY: openaiKey,
    TANDEM_BASE_URL: baseUrl,
  }),
  'openai-responses': (baseUrl) => ({
    TANDEM_MODEL: 'openai/gpt-test',
    OPENAI_API_KEY: openaiKey,
    OPENAI_BASE_URL: baseUrl,
  }),
}

/** The key that the scripted server of an adapter takes. */
export function keyOf(adapter: string): string {
  if (adapter === 'gemini') return geminiKey
  return adapter === 'anthropic' ? anthropicKey : openaiKey
}

/** How a server is started so that it talks to a scripted provider. */
export function serverOptions(
  { name }: Provider,
  { baseUrl, dialect }: { baseUrl: string; dialect: Dialect },
): { env: Record<string, string>; config: object } {
  const env = { ...envOf[name]?.(baseUrl), TANDEM_DIALECT: dialect }
  const config = {
    strictAlternation: name === 'openai-chat-strict',
    stepsPerTurn: 50,
  }
  return { env, config }
}
