import type { Dialect } from '../../protocol/events/epoch.ts'
import type { Model, OpenOptions } from './model.ts'

/** A source of models, with everything that its models share. */
export interface Provider {
  /** In front of the slash. */
  id: string
  label: string
  /** The shape of its requests; frozen in an epoch under this name. */
  adapter: string
  dialect: Dialect
  /** Models that do better with the other dialect there. */
  others?: RegExp
  /** Environment variables that may hold the key; empty where none is needed. */
  keys: readonly string[]
  needsKey: boolean
  baseUrl: string | null
  /** The environment variable that moves it to another address. */
  baseUrlName: string
  /** The models to take when nobody says which, the best family first; none: the first that is listed. */
  patterns: readonly RegExp[]
  /** Models that are there though no list names them. */
  models?: readonly string[] | undefined
  /** Any server may be behind it, with a chat template of its own. */
  isCompatible?: boolean
  /** Not told of before somebody has set it up: there are many. */
  isQuiet?: boolean
  /** Settings of its own, which go before those for all. */
  own?: ProviderSettings | undefined
  /** Loaded only when it is used. */
  open(options: OpenOptions): Promise<Model>
}

/** Settings that a person made for one provider. */
export interface ProviderSettings {
  dialect?: Dialect | undefined
  strict?: boolean | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Its key, or the place of it, beside the environment. */
  key?: string | undefined
  keyFile?: string | undefined
  keyCommand?: string | undefined
}

/** Any server that speaks chat completions. */
export const chat = {
  adapter: 'openai-chat',
  dialect: 'tags',
  needsKey: false,
  patterns: [],
  isCompatible: true,
  open: async (options: OpenOptions) =>
    (await import('./openai-chat/request.ts')).createChatModel(options),
} as const

/** Newer ones have a word behind their version, as `gpt-6-sol`; some words say that it is small, dear or for one purpose. */
const openaiPatterns = [
  /^gpt-\d+(\.\d+)?(-(?!(mini|nano|luna|pro|codex|turbo|audio|realtime|image|search)$)[a-z]+)?$/,
  /^gpt-\d+(\.\d+)?-(mini|\d{4}-\d\d-\d\d)$/,
  /^gpt-\d/,
]

/** In the order in which they are tried when nobody says which. */
export const providers: readonly Provider[] = [
  {
    ...chat,
    id: 'openai-compatible',
    label: 'An OpenAI-compatible server',
    keys: ['TANDEM_API_KEY'],
    baseUrl: null,
    baseUrlName: 'TANDEM_BASE_URL',
  },
  {
    id: 'gemini',
    label: 'Gemini',
    adapter: 'gemini',
    dialect: 'tools',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    needsKey: true,
    baseUrl: 'https://generativelanguage.googleapis.com',
    baseUrlName: 'GOOGLE_GEMINI_BASE_URL',
    patterns: [
      /^gemini-\d+(\.\d+)?-pro(-preview(-[\d-]+)?)?$/,
      /^gemini-pro-latest$/,
      /^gemini-\d+(\.\d+)?-flash(-preview(-[\d-]+)?)?$/,
      /^gemini-flash-latest$/,
      /^gemini-/,
    ],
    open: async (options) => (await import('./gemini/request.ts')).createGeminiModel(options),
  },
  {
    id: 'anthropic',
    label: 'Anthropic',
    adapter: 'anthropic',
    dialect: 'tools',
    keys: ['ANTHROPIC_API_KEY'],
    needsKey: true,
    baseUrl: 'https://api.anthropic.com',
    baseUrlName: 'ANTHROPIC_BASE_URL',
    patterns: [/^claude-sonnet-\d/, /^claude-opus-\d/, /^claude-/],
    open: async (options) => (await import('./anthropic/request.ts')).createAnthropicModel(options),
  },
  {
    id: 'openai',
    label: 'OpenAI',
    adapter: 'openai-responses',
    dialect: 'tools',
    keys: ['OPENAI_API_KEY'],
    needsKey: true,
    baseUrl: 'https://api.openai.com/v1',
    baseUrlName: 'OPENAI_BASE_URL',
    patterns: openaiPatterns,
    open: async (options) =>
      (await import('./openai-responses/request.ts')).createResponsesModel(options),
  },
  {
    ...chat,
    id: 'openai-chat',
    label: 'OpenAI (chat completions)',
    dialect: 'tags',
    isCompatible: false,
    patterns: openaiPatterns,
    // Later ones, which think, take tools in responses only.
    others: /^(gpt-3|gpt-4|chatgpt-4)/,
    keys: ['OPENAI_API_KEY'],
    needsKey: true,
    baseUrl: 'https://api.openai.com/v1',
    baseUrlName: 'OPENAI_BASE_URL',
  },
  {
    ...chat,
    id: 'ollama',
    label: 'Ollama',
    keys: [],
    baseUrl: 'http://127.0.0.1:11434/v1',
    baseUrlName: 'OLLAMA_BASE_URL',
  },
  {
    ...chat,
    id: 'llama.cpp',
    label: 'llama.cpp',
    keys: [],
    baseUrl: 'http://127.0.0.1:8080/v1',
    baseUrlName: 'LLAMA_BASE_URL',
  },
  {
    ...chat,
    id: 'lmstudio',
    label: 'LM Studio',
    keys: [],
    baseUrl: 'http://127.0.0.1:1234/v1',
    baseUrlName: 'LMSTUDIO_BASE_URL',
  },
  {
    id: 'demo',
    label: 'The built-in demo',
    adapter: 'demo',
    dialect: 'tags',
    keys: [],
    needsKey: false,
    baseUrl: null,
    baseUrlName: '',
    patterns: [],
    models: ['offline'],
    open: async () => (await import('./demo.ts')).createDemoModel(),
  },
]
