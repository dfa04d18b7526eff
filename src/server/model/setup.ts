import type { ModelSetup } from '../../protocol/events/epoch.ts'
import { tools } from '../../session/calls/tools.ts'
import { tellsThoughts } from './anthropic/thinking.ts'
import tagsPrompt from './system-prompt.tags.md'
import toolsPrompt from './system-prompt.tools.md'

/** Bumped when the same log would give other bytes; old versions stay reproducible. 2: ids that every provider knows. 3: whose doing a record was. */
const renderVersion = 3

/**
 * Bumped when an adapter would write other bytes for the same log. 2: ids and signatures go back to the model that made
 * them alone, Gemini reads what a person did as calls, a reply without a prompt gets one where turns must alternate,
 * and OpenRouter’s details of a thought go back. 3: Mistral, DeepSeek and Gemini on compatible servers are told what others did
 * in the order and shape that they take.
 */
const wireVersion = 3

type SetupOptions = Pick<ModelSetup, 'model' | 'adapter' | 'dialect'> & {
  images?: readonly string[]
  /** In tokens, as far as they are known. */
  sizes?: { context?: number | undefined; output?: number | undefined } | undefined
}

/** The set-up that an epoch freezes. Constant bytes: no date, folder or name of a person in it. */
export function setupOf(options: SetupOptions): ModelSetup {
  const { model, adapter, dialect, images = [], sizes } = options
  const isTools = dialect === 'tools'
  return {
    model,
    adapter,
    dialect,
    system: isTools ? toolsPrompt : tagsPrompt,
    tools: isTools ? [...tools] : [],
    renderVersion,
    wireVersion,
    ...(adapter === 'anthropic' && tellsThoughts(nameOf(model)) && { thinking: 'summarized' }),
    ...(images.length > 0 && { images: [...images] }),
    ...(sizes?.context && { contextTokens: sizes.context }),
    ...(sizes?.output && { outputTokens: sizes.output }),
  }
}

/** As its provider knows it. */
function nameOf(model: string): string {
  return model.slice(model.indexOf('/') + 1)
}
