import type { ToolRequest } from '../protocol/call.ts'
import type { SessionId } from '../protocol/seq.ts'
import type { CommandDone } from '../session/report.ts'
import { cacheOf, cacheText } from './cache-report.ts'
import type { Models } from './model/models.ts'
import { modelsText } from './models-text.ts'
import type { EventStore } from './store/store.ts'

/** Does what a person’s command asks of the world outside the session. */
export type EdgeCommands = (call: ToolRequest) => Promise<Omit<CommandDone, 'type' | 'call'>>

export interface EdgeCommandsDeps {
  store: EventStore
  models: Models
  session: SessionId
}

export function createEdgeCommands({ store, models, session }: EdgeCommandsDeps): EdgeCommands {
  const byName: Readonly<Record<string, () => Promise<string>>> = {
    cache: async () => cacheText(await cacheOf(store, session)),
    models: async () => modelsText(await models.list()),
  }
  return async ({ name }) => {
    const command = Object.hasOwn(byName, name) ? byName[name] : undefined
    if (command === undefined)
      return { status: 'error', content: `This server cannot do "${name}".`, inContext: false }
    return { status: 'done', content: await command(), inContext: false }
  }
}
