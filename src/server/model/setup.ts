import type { Dialect, ModelSetup } from '../../protocol/epoch.ts'
import { tools } from '../../session/tools.ts'
import tagsPrompt from './system-prompt.tags.md'
import toolsPrompt from './system-prompt.tools.md'

/** Bumped when the same log would give other bytes; old versions stay reproducible. */
const renderVersion = 1

export interface SetupOptions {
  /** `provider/name`. */
  model: string
  /** The wire’s name. */
  adapter: string
  dialect: Dialect
  /** Media types that the model takes. */
  images?: readonly string[]
}

/** What an epoch freezes. Constant bytes: no date, folder or name of a person in it. */
export function setupOf({ model, adapter, dialect, images = [] }: SetupOptions): ModelSetup {
  const isTools = dialect === 'tools'
  return {
    model,
    adapter,
    dialect,
    system: isTools ? toolsPrompt : tagsPrompt,
    tools: isTools ? [...tools] : [],
    renderVersion,
    ...(images.length > 0 && { images: [...images] }),
  }
}
