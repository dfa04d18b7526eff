import type { ModelSetup } from '../../protocol/events/epoch.ts'
import { tools } from '../../session/calls/tools.ts'
import tagsPrompt from './system-prompt.tags.md'
import toolsPrompt from './system-prompt.tools.md'

/** Bumped when the same log would give other bytes; old versions stay reproducible. 2: ids that every provider knows. 3: whose doing a record was. */
const renderVersion = 3

type SetupOptions = Pick<ModelSetup, 'model' | 'adapter' | 'dialect'> & {
  images?: readonly string[]
}

/** The set-up that an epoch freezes. Constant bytes: no date, folder or name of a person in it. */
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
