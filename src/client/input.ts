import { isDirective } from '../view/composer/input-kind.ts'
import type {
  CommandInfo,
  Completion,
  HistoryQuery,
  InputKind,
  PastInput,
} from '../protocol/http/completion.ts'
import type { SubmitAs } from '../protocol/http/intent.ts'
import { limits } from '../protocol/limits.ts'
import { routes } from '../protocol/http/routes.ts'
import type { SessionId } from '../protocol/events/seq.ts'
import type { Call } from './wire/call.ts'

export interface Composed {
  text: string
  cursor: number
  as?: SubmitAs
  /** Abort it when the person types on. */
  signal?: AbortSignal
}

type Query = Partial<HistoryQuery> & { signal?: AbortSignal }

/** Help with typing; a UI only draws it. */
export type InputHelp = ReturnType<typeof createInputHelp>

export function createInputHelp(call: Call) {
  return {
    async complete(id: SessionId, composed: Composed): Promise<Completion> {
      const { text, cursor, as = 'auto', signal } = composed
      const cut = shorten(text, cursor)
      if (cut === null) return { from: cursor, to: cursor, items: [] }
      const found = await call(routes.complete, {
        params: { id },
        query: { text: cut.text || undefined, cursor: cursor - cut.skipped, as },
        ...(signal && { signal }),
      })
      return { ...found, from: found.from + cut.skipped, to: found.to + cut.skipped }
    },
    async history(id: SessionId, { signal, ...query }: Query): Promise<readonly PastInput[]> {
      const wanted = { ...query, prefix: query.prefix || undefined, q: query.q || undefined }
      const options = { params: { id }, query: wanted, ...(signal && { signal }) }
      return (await call(routes.history, options)).inputs
    },
    /** Every command there is, for `/help`. */
    commands: async (id: SessionId): Promise<readonly CommandInfo[]> =>
      (await call(routes.commands, { params: { id } })).commands,
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
  if (isDirective(text)) return null
  const start = cursor - shownChars
  return { text: `…${text.slice(start, cursor + shownChars)}`, skipped: start - 1 }
}

interface Past {
  session: SessionId
  kind: InputKind
  search: Pick<HistoryQuery, 'prefix' | 'q'>
  signal?: AbortSignal
}

/**
 * Earlier inputs as they would be typed here, newest first. The session keeps commands and what was
 * said apart; in the chat both are typed, a command with its `!`.
 */
export async function pastInputs(
  help: Pick<InputHelp, 'history'>,
  { session, kind, search, signal }: Past,
): Promise<readonly PastInput[]> {
  const ask = (from: InputKind, narrowed: Past['search']) =>
    help.history(session, { kind: from, ...narrowed, ...(signal && { signal }) })
  if (kind === 'shell') return (await ask('shell', search)).map(typedInBash)
  const said = await ask('chat', search)
  const prefix = search.prefix?.replace(/^\s*!/, '')
  const isCommand = search.prefix === undefined || prefix !== search.prefix
  if (!isCommand) return said
  const ran = await ask('shell', { ...search, ...(prefix !== undefined && { prefix }) })
  const typed = ran.map(({ text, at }) => ({ text: typedInChat(text), at }))
  const all = [...said, ...typed]
  // A search has its own order, best first.
  return search.q === undefined ? all.sort((a, b) => b.at - a.at) : all
}

/** Commands that ran lately, as they would be typed in the chat, newest first. */
export async function ranBefore(
  help: Pick<InputHelp, 'history'>,
  { session, signal }: Pick<Past, 'session' | 'signal'>,
): Promise<readonly string[]> {
  const ran = await help.history(session, { kind: 'shell', ...(signal && { signal }) })
  return ran.map(({ text }) => typedInChat(text))
}

/** A command that itself begins with a sign (`! grep x`) is kept apart from ours. */
const typedInChat = (command: string) => `${/^[!?]/.test(command) ? '! ' : '!'}${command}`

const typedInBash = ({ text, at }: PastInput): PastInput => ({
  text: text.startsWith('!') ? `! ${text}` : text,
  at,
})
