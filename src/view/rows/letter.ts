import type { SubmitAs } from '../../protocol/http/intent.ts'
import type { Head, SessionId } from '../../protocol/events/seq.ts'

/** A text that was submitted here and may not be in the log yet. */
export interface Letter {
  /** Tells a repeated sending from a second one, also after a restart of the client. */
  key: string
  session: SessionId
  text: string
  as: SubmitAs
  at: number
  /** The head of the log, as far as it was shown when this was written. */
  after: Head
  /** The person said that it is no password. */
  notSecret?: boolean | undefined
}

/** No password has more lines or letters, and whoever types one does not wait so long to be asked for it. */
const secretChars = 256
const secretMs = 15_000

/** Refused since a secret is asked for, and it may be just that: it is kept nowhere. */
export function mayBeSecret(
  { text, at }: Pick<Letter, 'text' | 'at'>,
  { code, now }: { code: string; now: number },
): boolean {
  if (code !== 'secret_awaited' && code !== 'secret_suspected') return false
  return text.length <= secretChars && !text.includes('\n') && now - at < secretMs
}

export interface Refused {
  phase: 'refused'
  code: string
  message: string
}

/** `waiting`: no answer came, it is sent again. `accepted`: it is on disk, its events are under way. */
export type Pending = Letter & {
  state: { phase: 'sending' | 'waiting' } | { phase: 'accepted'; head: Head } | Refused
}
