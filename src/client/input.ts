import type {
  CommandInfo,
  Completion,
  HistoryQuery,
  PastInput,
  SubmitAs,
} from '../protocol/completion.ts'
import { limits } from '../protocol/limits.ts'
import { routes } from '../protocol/routes.ts'
import type { SessionId } from '../protocol/seq.ts'
import type { Call } from './call.ts'

export interface Composed {
  text: string
  cursor: number
  as?: SubmitAs
  /** Abort it when the person types on. */
  signal?: AbortSignal
}

/** What helps a person to type; a UI only draws it. */
export interface InputHelp {
  complete(session: SessionId, composed: Composed): Promise<Completion>
  history(
    session: SessionId,
    query: Partial<HistoryQuery> & { signal?: AbortSignal },
  ): Promise<readonly PastInput[]>
  /** Every command there is, for `/help`. */
  commands(session: SessionId): Promise<readonly CommandInfo[]>
}

export function createInputHelp(call: Call): InputHelp {
  return {
    async complete(id, { text, cursor, as = 'auto', signal }) {
      const cut = shorten(text, cursor)
      if (cut === null) return { from: cursor, to: cursor, items: [] }
      const found = await call(routes.complete, {
        params: { id },
        query: { text: cut.text || undefined, cursor: cursor - cut.skipped, as },
        ...(signal && { signal }),
      })
      return { ...found, from: found.from + cut.skipped, to: found.to + cut.skipped }
    },
    async history(id, { signal, ...query }) {
      const wanted = { ...query, prefix: query.prefix || undefined, q: query.q || undefined }
      const options = { params: { id }, query: wanted, ...(signal && { signal }) }
      return (await call(routes.history, options)).inputs
    },
    commands: async (id) => (await call(routes.commands, { params: { id } })).commands,
  }
}

/** Around the cursor; a path or a word is shorter. */
const shownChars = 1_000

/**
 * As much of a long text as an address holds. Of a prompt a piece will do, after a sign that makes it
 * a prompt whatever it begins with; of a command line it will not, and there is nothing to complete.
 */
function shorten(text: string, cursor: number): { text: string; skipped: number } | null {
  if (text.length <= limits.queryChars) return { text, skipped: 0 }
  const head = text.slice(0, cursor + shownChars)
  if (head.length <= limits.queryChars) return { text: head, skipped: 0 }
  if (/^\s*[!/]/.test(text)) return null
  const start = cursor - shownChars
  return { text: `…${text.slice(start, cursor + shownChars)}`, skipped: start - 1 }
}
