import { assertNever } from '../../base/assert-never.ts'
import type { Completion, CompletionQuery } from '../../protocol/http/completion.ts'
import { completionAt, type Want } from '../../session/complete/complete.ts'
import { completeArgument, completeCommand, listCommands } from './complete-command.ts'
import { completeMention } from './complete-mention.ts'
import { completeShell } from './complete-shell.ts'
import type { CompleterDeps, Found } from './source.ts'

export interface CompleteOptions {
  /** The asking client; its newer question ends an older one. Null if unknown. */
  client: string | null
  signal?: AbortSignal
}

const stopped: Found = { items: [], isPartial: true }

/** Completion for the input of one session. */
export function createCompleter(deps: CompleterDeps) {
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
    async complete(
      { text, cursor, as }: CompletionQuery,
      { client, signal }: CompleteOptions,
    ): Promise<Completion> {
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

/** The look-up itself runs on unheard: it is short, and cannot be taken back. */
function stoppedBy(signal: AbortSignal): Promise<Found> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(stopped)
    else signal.addEventListener('abort', () => resolve(stopped), { once: true })
  })
}
