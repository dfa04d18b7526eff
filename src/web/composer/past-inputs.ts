import type { Client } from '../../client/connect.ts'
import type { HistoryQuery, InputKind, PastInput } from '../../protocol/completion.ts'
import { inputRoutes } from '../../protocol/input-routes.ts'
import type { SessionId } from '../../protocol/seq.ts'

interface Wanted {
  session: SessionId
  kind: InputKind
  search: Pick<HistoryQuery, 'prefix' | 'q'>
  signal?: AbortSignal
}

/**
 * Earlier inputs as they would be typed here, newest first. The session keeps commands and what was
 * said apart; in the chat both are typed, a command with its `!`.
 */
export async function pastInputs(client: Client, wanted: Wanted): Promise<readonly PastInput[]> {
  const { session, kind, search, signal } = wanted
  async function ask(from: InputKind, narrowed: Wanted['search']): Promise<readonly PastInput[]> {
    const { inputs } = await client.call(inputRoutes.history, {
      params: { id: session },
      query: { kind: from, ...narrowed },
      ...(signal && { signal }),
    })
    return inputs
  }
  if (kind === 'shell') return ask('shell', search)
  const said = await ask('chat', search)
  const prefix = search.prefix?.replace(/^\s*!/, '')
  const isCommand = search.prefix === undefined || prefix !== search.prefix
  if (!isCommand) return said
  const ran = await ask('shell', { ...search, ...(prefix !== undefined && { prefix }) })
  const typed = ran.map(({ text, at }) => ({ text: `!${text}`, at }))
  const all = [...said, ...typed]
  // A search has its own order, best first.
  return search.q === undefined ? all.sort((a, b) => b.at - a.at) : all
}
