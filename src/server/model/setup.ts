import type { ModelSetup } from '../../protocol/epoch.ts'
import systemPrompt from './system-prompt.md'

/** Bumped when the same log would give other bytes; old versions stay reproducible. */
const renderVersion = 1

/** The set-up of a model that asks for commands with tags. Constant bytes: no date, folder or name in it. */
export function setupOf({ model, adapter }: { model: string; adapter: string }): ModelSetup {
  return { model, adapter, dialect: 'tags', system: systemPrompt, tools: [], renderVersion }
}
