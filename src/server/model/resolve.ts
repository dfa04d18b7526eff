import { type Result, ok, refused } from '../../protocol/result.ts'
import { createDemoModel } from './demo.ts'
import type { Model } from './model.ts'
import { setupOf } from './setup.ts'

export interface ModelChoice {
  /** `provider/name`; null takes what there is. */
  model: string | null
  baseUrl: string | null
  apiKey: string | null
}

/** The model a server starts with. The error is a sentence for a person. */
export async function resolveModel(choice: ModelChoice): Promise<Result<Model, string>> {
  const wanted =
    choice.model ?? (choice.baseUrl === null ? 'demo/offline' : 'openai-compatible/default')
  const [provider = '', ...rest] = wanted.split('/')
  const name = rest.join('/')
  if (provider === 'demo') return ok(createDemoModel())
  if (provider !== 'openai-compatible')
    return refused(
      `There is no provider "${provider}". Use demo/offline, or openai-compatible/NAME with TANDEM_BASE_URL.`,
    )
  if (choice.baseUrl === null)
    return refused('openai-compatible needs the server’s address: set TANDEM_BASE_URL.')
  if (name === '') return refused('Name the model too: openai-compatible/NAME.')
  const { createChatModel } = await import('./openai-chat.ts')
  const setup = setupOf({ model: wanted, adapter: 'openai-chat' })
  return ok(createChatModel({ setup, name, baseUrl: choice.baseUrl, apiKey: choice.apiKey }))
}
