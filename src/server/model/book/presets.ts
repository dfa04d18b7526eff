import type { PresetName } from '../../../protocol/provider.ts'
import type { PresetInfo } from '../../../protocol/http/server-routes.ts'
import { chat, type Provider, providers } from '../providers.ts'

/** A known service that speaks chat completions. */
interface Preset {
  id: PresetName
  label: string
  /** Null: each customer has an address of their own. */
  baseUrl: string | null
  /** An example of such an address. */
  example?: string
  keys: readonly string[]
  baseUrlName?: string
  patterns?: readonly RegExp[]
}

export const presets: readonly Preset[] = [
  {
    id: 'openrouter',
    label: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keys: ['OPENROUTER_API_KEY'],
    patterns: [/^openrouter\/auto$/],
  },
  {
    id: 'deepseek',
    label: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    keys: ['DEEPSEEK_API_KEY'],
    patterns: [/^deepseek-chat$/, /^deepseek-/],
  },
  {
    id: 'xai',
    label: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    keys: ['XAI_API_KEY'],
    patterns: [/^grok-\d+(\.\d+)?(-\d{4})?$/, /^grok-\d/],
  },
  {
    id: 'groq',
    label: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keys: ['GROQ_API_KEY'],
    patterns: [/gpt-oss-120b$/, /llama.*70b/],
  },
  {
    id: 'mistral',
    label: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keys: ['MISTRAL_API_KEY'],
    patterns: [/^mistral-large-latest$/, /^mistral-medium-latest$/, /^mistral-.*-latest$/],
  },
  {
    id: 'together',
    label: 'Together',
    baseUrl: 'https://api.together.xyz/v1',
    keys: ['TOGETHER_API_KEY'],
    patterns: [/gpt-oss-120b$/i, /llama.*70b-instruct/i],
  },
  {
    id: 'azure',
    label: 'Azure OpenAI',
    baseUrl: null,
    example: 'https://NAME.openai.azure.com/openai/v1',
    keys: ['AZURE_OPENAI_API_KEY'],
    baseUrlName: 'AZURE_OPENAI_BASE_URL',
  },
  {
    id: 'bedrock',
    label: 'Amazon Bedrock',
    baseUrl: null,
    example: 'https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1',
    keys: ['AWS_BEARER_TOKEN_BEDROCK'],
    baseUrlName: 'BEDROCK_BASE_URL',
    patterns: [/gpt-oss-120b/],
  },
  {
    id: 'vertex',
    label: 'Vertex AI',
    baseUrl: null,
    example:
      'https://us-central1-aiplatform.googleapis.com/v1/projects/NAME/locations/us-central1/endpoints/openapi',
    keys: ['VERTEX_API_KEY'],
    baseUrlName: 'VERTEX_BASE_URL',
  },
]

export const presetProviders: readonly Provider[] = presets.map(providerOf)

function providerOf({ id, label, baseUrl, keys, baseUrlName, patterns = [] }: Preset): Provider {
  const shared = { ...chat, id, label, baseUrl, keys, patterns }
  return { ...shared, needsKey: true, isQuiet: true, baseUrlName: baseUrlName ?? '' }
}

/** All that a person can add with a key: the providers with a protocol of their own, then the presets. */
export function presetInfos(): PresetInfo[] {
  const cloud = providers.filter(({ id, needsKey }) => needsKey && id !== 'openai-chat')
  return [
    ...cloud.map(({ id, label }) => ({ id, label, address: null, needsKey: true })),
    ...presets.map(({ id, label, example = null }) => {
      return { id, label, address: example, needsKey: true }
    }),
    { id: 'server', label: 'Another server', address: 'http://127.0.0.1:8000/v1', needsKey: false },
  ]
}
