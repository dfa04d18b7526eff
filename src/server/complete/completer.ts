import { assertNever } from '../../protocol/assert-never.ts'
import type { CommandInfo, Completion, CompletionQuery } from '../../protocol/completion.ts'
import { completionAt, type Want } from '../../session/complete.ts'
import { completeArgument } from './complete-argument.ts'
import { completeCommand } from './complete-command.ts'
import { completeMention } from './complete-mention.ts'
import { completeShell } from './complete-shell.ts'
import { listCommands } from './list-commands.ts'
import type { CompleterDeps, Found } from './source.ts'

export interface CompleteOptions {
  /** Who asks; a newer question of theirs ends an older one. Null: nobody knows. */
  client: string | null
  signal?: AbortSignal
}

/** What helps a person to type into one session. */
export interface Completer {
  complete(query: CompletionQuery, options: CompleteOptions): Promise<Completion>
  commands(): Promise<readonly CommandInfo[]>
}

const stopped: Found = { items: [], isPartial: true }

export function createCompleter(deps: CompleterDeps): Completer {
  const asking = new Map<string, AbortController>()

  async function find(want: Want): Promise<Found> {
    switch (want.kind) {
      case 'nothing':
        return { items: [] }
      case 'command':
        return { items: completeCommand(want.text, listCommands(await deps.world())) }
      case 'flag':
        return {
          items: want.names
            .map((name) => `--${name}`)
            .filter((flag) => flag.startsWith(want.text))
            .map((flag) => ({ label: flag, insert: flag, kind: 'flag' })),
        }
      case 'argument':
        return completeArgument(want, deps)
      case 'mention':
        return completeMention(want.text, deps)
      case 'shell':
        return completeShell(want, deps)
      default:
        return assertNever(want)
    }
  }

  return {
    async complete({ text, cursor, as }, { client, signal }) {
      const mine = new AbortController()
      if (client !== null) {
        asking.get(client)?.abort()
        asking.set(client, mine)
      }
      const want = completionAt(text, cursor, as)
      const stop = signal ? AbortSignal.any([signal, mine.signal]) : mine.signal
      try {
        const { items, isPartial } = await Promise.race([find(want), stoppedBy(stop)])
        const { from, to } = want
        return { from, to, items: [...items], ...(isPartial && { isPartial }) }
      } finally {
        if (client !== null && asking.get(client) === mine) asking.delete(client)
        mine.abort()
      }
    },
    commands: async () => listCommands(await deps.world()),
  }
}

/** What is looked up then comes to its end unheard: it is short, and none of it can be taken back. */
function stoppedBy(signal: AbortSignal): Promise<Found> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(stopped)
    else signal.addEventListener('abort', () => resolve(stopped), { once: true })
  })
}
